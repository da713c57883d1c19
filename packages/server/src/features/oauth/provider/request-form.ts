import type { IncomingMessage, ServerResponse } from 'node:http';
import { noteRefusal } from '../../../platform/http/refusal-code.ts';

/** The maximum length of an authorization request as a link. */
const MAX_FORM_BYTES = 8192;

/**
 * Takes an authorization request that is a form (OpenID Connect Core, section 3.1.2.1): the browser repeats it as a link. A
 * form of another site does not bring the cookies of the provider, which are `SameSite=Lax`; a link does.
 */
export async function redirectRequestForm(
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
): Promise<void> {
  const form = await readForm(request);
  if (form === undefined) {
    noteRefusal(request, 'invalid_request');
    response.writeHead(413).end();
    return;
  }
  response.writeHead(303, { location: `${pathname}?${form}`, 'cache-control': 'no-store' }).end();
}

/** Returns undefined for a form that is too large. The rest of it is discarded, so that the client sees the response. */
function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      if (text.length > MAX_FORM_BYTES) return;
      text += chunk;
      if (text.length > MAX_FORM_BYTES) resolve(undefined);
    });
    request.once('end', () => resolve(new URLSearchParams(text))).once('error', reject);
  });
}
