import { CREDENTIAL_KINDS, CREDENTIAL_PATTERN } from '../crypto/credentials.ts';
import { ServiceError } from '../service-error.ts';

/** A URL that another URL quotes is encoded twice; nothing sensible is encoded more often. */
const MAX_ENCODINGS = 4;

/** The beginning of a credential in JSON text, where each character may be written as an escape. */
const IN_JSON = new RegExp(
  `${inJson('svc_')}(?:${CREDENTIAL_KINDS.map(inJson).join('|')})${inJson('_')}[\\w%.~\\\\-]`,
  'i',
);

/** Rejects a credential where it would end up in logs and histories. It is never used, even if it is valid. */
export function refuseCredentialInQuery(query: string): void {
  if (isCredentialExposed(query)) throw exposedCredential();
}

/** Returns whether a part of a URL contains a credential, also one that is percent-encoded. */
export function isCredentialExposed(part: string): boolean {
  let text = part;
  for (let times = 0; times <= MAX_ENCODINGS; times += 1) {
    if (CREDENTIAL_PATTERN.test(text)) return true;
    const decoded = text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
  return false;
}

/** Rejects a credential in a JSON body, where it would be stored. */
export function refuseCredentialInJson(body: Buffer): void {
  // The searches are some hundred times faster than the pattern, and for nearly every body they are enough.
  if (!body.includes('svc_') && !body.includes('\\u00')) return;
  if (IN_JSON.test(body.toString('latin1'))) throw exposedCredential();
}

function exposedCredential(): ServiceError {
  return new ServiceError(
    'credential_in_query',
    'A credential must be sent in a header, never in the URL or the body; revoke this one',
  );
}

/** Returns a pattern of these characters of `a-z_`. It ignores case, so an escape may be of either case. */
function inJson(word: string): string {
  return [...word].map((character) => `(?:${character}|${escapesOf(character)})`).join('');
}

function escapesOf(character: string): string {
  if (character === '_') return '\\\\u005f|%5f';
  const [high = '', low = ''] = character.charCodeAt(0).toString(16);
  return `\\\\u00[${Number(high) - 2}${high}]${low}`;
}
