import type { Secret } from '../../../platform/crypto/secret.ts';

const CREDENTIAL = /svc_(?:live|test|at|rt)_[A-Za-z0-9_-]+/g;
const STANDARD_PREFIX = 'whsec_';
const REPLACEMENT = '[secret]';
/** So much of a secret at the very end tells something: 2 KiB of an answer are kept, wherever that cuts. */
const MIN_CUT_LENGTH = 4;

/**
 * Takes out of a receiver's answer what must not be kept: our secrets, should it echo them, in the forms in which pages
 * and programs repeat what they know, and credentials.
 */
export function redactResponse(text: string, secrets: readonly Secret[]): string {
  if (text === '') return text;
  const forms = secrets.flatMap((secret) => formsOf(secret.reveal()));
  const withoutSecrets = forms.reduce(
    (rest, form) => withoutCutForm(rest.replaceAll(form, REPLACEMENT), form),
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
    // Too short to be told from the rest of a text.
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

/** Takes a form off the end of a text that was cut in the middle of it. */
function withoutCutForm(text: string, form: string): string {
  for (let length = Math.min(form.length - 1, text.length); length >= MIN_CUT_LENGTH; length -= 1) {
    if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + REPLACEMENT;
  }
  return text;
}
