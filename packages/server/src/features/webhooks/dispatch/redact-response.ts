import type { Secret } from '../../../platform/crypto/secret.ts';

const CREDENTIAL = /svc_(?:live|test|at|rt)_[A-Za-z0-9_-]+/g;
const STANDARD_PREFIX = 'whsec_';
const REPLACEMENT = '[secret]';
/** This much of a secret at the very end reveals something: 2 KiB of a response are kept, cut anywhere. */
const MIN_CUT_LENGTH = 4;

/**
 * Removes what must not be kept from a receiver's response: our secrets, in case it echoes them, in the encodings
 * that pages and programs use, and credentials.
 */
export function redactResponse(text: string, secrets: readonly Secret[]): string {
  if (text === '') return text;
  const forms = secrets.flatMap((secret) => formsOf(secret.reveal()));
  const withoutSecrets = forms.reduce(
    (rest, form) => withoutTruncatedForm(rest.replaceAll(form, REPLACEMENT), form),
    text,
  );
  return withoutSecrets.replace(CREDENTIAL, '[credential]');
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const bare = secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : '';
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    toHtml(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    // If too short, it cannot be distinguished from other text.
    ...(bare.length >= 2 * MIN_CUT_LENGTH ? [bare] : []),
  ];
  return [...new Set(forms)];
}

function toHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Removes a truncated form at the end of a text that was cut. */
function withoutTruncatedForm(text: string, form: string): string {
  for (let length = Math.min(form.length - 1, text.length); length >= MIN_CUT_LENGTH; length -= 1) {
    if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + REPLACEMENT;
  }
  return text;
}
