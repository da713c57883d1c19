import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** A response, or the reason why there was none. */
export type Probe =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: unknown;
      /** How far this machine's clock is ahead of the service's; undefined without a Date header. */
      readonly clockAheadMs: number | undefined;
    }
  | { readonly kind: 'unreachable'; readonly code: string; readonly message: string };

const TIMEOUT_MS = 10_000;
const BODY_LIMIT_BYTES = 1024 * 1024;

/** Sends one request and waits at most ten seconds. Follows no redirects: the credential is for this address only. */
export function probe(url: URL, credential?: string): Promise<Probe> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = credential === undefined ? {} : { authorization: `Bearer ${credential}` };
  const sentAtMs = Date.now();
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) =>
      resolve({
        kind: 'unreachable',
        code: error.code ?? 'failed',
        message: error.message || String(error.code),
      });
    const request = send(
      url,
      { headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) },
      (response) => {
        const clockAheadMs = toClockAhead(response, sentAtMs);
        readBody(response)
          .then((body) => resolve({ kind: 'answered', status: response.statusCode ?? 0, body, clockAheadMs }))
          .catch(failed);
      },
    );
    request.once('error', failed).end();
  });
}

/** The Date header has whole seconds: on average the time is half a second later. */
function toClockAhead({ headers }: IncomingMessage, sentAtMs: number): number | undefined {
  const serviceMs = Date.parse(headers.date ?? '') + 500;
  return Number.isNaN(serviceMs) ? undefined : Math.round((sentAtMs + Date.now()) / 2 - serviceMs);
}

async function readBody(response: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > BODY_LIMIT_BYTES) throw new Error('the response is too large');
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    return undefined;
  }
}
