import type { IncomingMessage } from 'node:http';

/** Codes of refused requests, until the logs have them. */
const codes = new WeakMap<IncomingMessage, string>();

/** Notes the error code of the response, for the logs. The last one counts. */
export function noteRefusal(request: IncomingMessage, code: string): void {
  codes.set(request, code);
}

/** Returns the error code of the response, if it was refused with one. */
export function refusalCodeOf(request: IncomingMessage): string | undefined {
  return codes.get(request);
}
