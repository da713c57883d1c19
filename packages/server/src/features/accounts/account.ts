import { domainToASCII, domainToUnicode } from 'node:url';
import type { ServiceId } from '../../platform/identifiers.ts';

export type AccountId = ServiceId<'acc'>;

/** A person who can sign in. Belongs to tenants through memberships. */
export interface Account {
  readonly accountId: AccountId;
  /** As the person wrote it. */
  readonly email: string;
  /**
   * When someone first proved that the address is theirs; null if it is unverified: with the link of an open invitation,
   * anyone can enter any address.
   */
  readonly emailVerifiedAtMs: number | null;
  readonly name: string;
  /** Null for a person who signs in without a password. */
  readonly passwordHash: string | null;
  readonly createdAtMs: number;
  readonly passwordChangedAtMs: number | null;
  /** A disabled account cannot sign in and has no sessions. */
  readonly disabledAtMs: number | null;
}

/** RFC 5321, section 4.5.3.1: an address in a command has at most 254 characters, its first part 64. */
export const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;
export const MAX_NAME_LENGTH = 100;
/**
 * What a mail server could deliver to. Spaces, quotes, brackets and control characters could forge a header. A parser of URLs
 * takes `%61` in a host for a letter, and an ideographic full stop for a dot, so that two texts would be one domain.
 */
const EMAIL =
  /^[^\s\p{Cc}\p{Cf}\p{Cs}"'<>(),:;@\\[\]]+@[^\s\p{Cc}\p{Cf}\p{Cs}"'<>(),:;@%\u3002\uff61\\[\]]+$/u;
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Returns the form of an address under which an account is found: two spellings of it belong to one person. The key of a key
 * is the key itself. Mail is always sent to the stored spelling, never to the one that someone typed.
 */
export function toEmailKey(email: string): string {
  const text = toPlainText(email);
  const at = text.lastIndexOf('@') + 1;
  return at === 0 ? text : text.slice(0, at) + toDomainKey(text.slice(at));
}

function toPlainText(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/**
 * `xn--bcher-kva.example.` and `bücher.example` are one domain. Other spellings stay as they are: what a parser of URLs
 * decodes or ignores, a mail server may not.
 */
function toDomainKey(domain: string): string {
  const host = domain.replace(/\.+$/, '');
  if (!/^[a-z0-9.-]*$/.test(host) || !host.includes('xn--')) return host;
  const decoded = domainToUnicode(host);
  return toPlainText(decoded) === decoded ? decoded : host;
}

/**
 * Returns an address as a row stores it that is found by `lower(email) = toEmailKey(…)`: as it was typed, or its key, if the
 * store would not make the key of it. SQLite's `lower` changes letters of ASCII only.
 */
export function toStoredEmail(email: string): string {
  const lower = email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const key = toEmailKey(email);
  return lower === key ? email : key;
}

/**
 * Returns the mailbox of an address, for limits on mails: `kim+a@…` arrives at `kim@…` (RFC 5233), and some mail systems
 * ignore dots. People whose addresses differ only in these share a limit and nothing else.
 */
export function toMailboxKey(email: string): string {
  const [local = '', domain = ''] = toEmailKey(email).split('@', 2);
  const name = local.replace(/(?<=.)\+.*/, '').replaceAll('.', '');
  return `${name === '' ? local : name}@${domainToASCII(domain) || domain}`;
}

export function isEmail(text: string): boolean {
  return (
    text.length <= MAX_EMAIL_LENGTH &&
    text.indexOf('@') <= MAX_LOCAL_PART_LENGTH &&
    EMAIL.test(toEmailKey(text))
  );
}

export function isPersonName(text: string): boolean {
  return text.trim() !== '' && text.length <= MAX_NAME_LENGTH && !CONTROL_CHARACTERS.test(text);
}
