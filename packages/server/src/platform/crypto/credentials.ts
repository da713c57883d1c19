import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Secret } from './secret.ts';

export type CredentialEnvironment = 'live' | 'test';
/** Tokens of OAuth: access tokens, and the refresh tokens that get new ones. */
type OauthCredential = 'at' | 'rt';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 33 base62 characters hold 196 bits: the fewest that hold 192. */
const RANDOM_LENGTH = 33;
/** The fewest base62 characters that hold a CRC-32. */
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^svc_(?:live|test|at)_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** What follows `svc_` in the credentials of this service. */
export const CREDENTIAL_KINDS = ['live', 'test', 'at', 'rt', 'cs'] as const;

/**
 * Matches anything in a text that looks like a credential of this service, whole or truncated, also with the
 * underscores percent-encoded as in a URL. Has no `g` flag and so no state: safe to share.
 */
export const CREDENTIAL_PATTERN = new RegExp(
  `svc(?:_|%5f)(?:${CREDENTIAL_KINDS.join('|')})(?:_|%5f)[\\w%.~-]+`,
  'i',
);

/** Creates a token secret. It is shown once and never stored: keep `hashCredential` and `credentialHint` of it. */
export function mintCredential(kind: CredentialEnvironment | OauthCredential): Secret {
  return mint(kind);
}

/** Creates the secret of an OAuth client, which is shown and stored like a credential. */
export function mintClientSecret(): Secret {
  return mint('cs');
}

function mint(kind: (typeof CREDENTIAL_KINDS)[number]): Secret {
  const random = Array.from({ length: RANDOM_LENGTH }, () => BASE62.charAt(randomInt(BASE62.length)));
  const body = `svc_${kind}_${random.join('')}`;
  return new Secret(body + checksum(body));
}

/** Returns whether the text can be a token secret. Typos and guesses are rejected without asking the store. */
export function isWellFormedCredential(text: string): boolean {
  return FORM.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH));
}

/** Returns the SHA-256 of the whole text in hex. It needs no salt or stretching because 192 random bits cannot be guessed. */
export function hashCredential(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * Returns what an owner recognises a credential by, such as `svc_live_…x7Qa`: the prefix and the last four
 * characters.
 */
export function credentialHint(text: string): string {
  return `${text.slice(0, text.lastIndexOf('_') + 1)}…${text.slice(-4)}`;
}

/** Replaces every credential in the text so that it can be logged. Keeps the prefix, which shows the kind. */
export function redactCredentials(text: string): string {
  // Nearly every text has none; the plain search costs a fraction of the pattern.
  if (!/svc/i.test(text)) return text;
  return text.replace(new RegExp(CREDENTIAL_PATTERN, 'gi'), (match) => `${prefixOf(match)}[redacted]`);
}

function prefixOf(match: string): string {
  return /^svc(?:_|%5f)[a-z]+?(?:_|%5f)/i.exec(match)?.[0] ?? '';
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = BASE62.charAt(rest % BASE62.length) + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}
