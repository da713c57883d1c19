import { USER_PLACEHOLDER } from './placeholder.ts';
import type { Span } from './span.ts';

/** A user and a password directly before the `@` of a host (RFC 3986, section 3.2.1). */
const BEFORE = /(?:^|[^\p{L}\p{N}._~%+-])([\p{L}\p{N}._~%+-]{1,64}):[^\s@/:[\]"'<>]{1,128}$/u;
/** An address, a name without a dot, or a name that is followed by a port or a path. A mail address has neither. */
const AFTER =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|\[[0-9a-f:.]{2,45}\]|[a-z][a-z0-9-]{0,62}(?![\w.-]*\.[a-z])(?:$|[:/\s,;)\]])|[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?(?::\d|\/))/i;
/** What is before a mail address, an account or a digest. */
const NO_USER = /^(?:mailto|sips?|xmpp|acct|im|skype|tel|image|docker|pkg)$/i;
const DIGEST = /^(?:sha\d{1,3}|md5|blake\w{1,4})\b/i;
const MAX_BEFORE = 200;
const MAX_AFTER = 260;

/** Finds a user and a password before the `@` at `at`; a scheme before them is not needed. */
export function credentialsAt(text: string, at: number, from: number, to: number): Span | undefined {
  const [found, user = ''] = BEFORE.exec(text.slice(Math.max(from, at - MAX_BEFORE), at)) ?? [];
  if (found === undefined || NO_USER.test(user)) return undefined;
  const host = text.slice(at + 1, Math.min(to, at + MAX_AFTER));
  if (!AFTER.test(host) || DIGEST.test(host)) return undefined;
  const start = at - found.length + (found.startsWith(user) ? 0 : 1);
  return { start, end: at, write: () => USER_PLACEHOLDER };
}
