import { isIP } from 'node:net';
import { type AddressRules, isAllowedAddress } from './allowed-networks.ts';
import { isLocalhost, isLoopbackAddress } from './loopback.ts';
import { TargetRejectedError } from './target-rejected-error.ts';

/** The length that browsers and servers agree to handle. */
const MAX_URL_LENGTH = 2048;

/** White space, control and invisible characters, and the backslash, which some parsers read as a slash. */
const HIDDEN = /[\p{C}\p{Z}\\]/u;

/** Two slashes and a host: `https:host` and `https:///host` parse too, but honest URLs never look like that. */
const FORM = /^https?:\/\/([^/?]+)/i;

/** Not `URL.canParse`: in Node 20 it rejects letters such as ü after some thousand calls. */
function readUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses a target URL and rejects what can be rejected without a DNS lookup. Only `allowInsecure` allows plain HTTP,
 * and only to this machine.
 * @throws TargetRejectedError
 */
export function parseTargetUrl(text: string, rules: AddressRules): URL {
  refuseForm(text);
  const url = readUrl(text);
  if (!url || url.hostname === '') throw new TargetRejectedError('it is not a valid URL');
  if (url.href.length > MAX_URL_LENGTH) throw tooLong();
  if (url.port === '0') throw new TargetRejectedError('port 0 cannot be called');
  const host = bareHost(url);
  if (host.endsWith('.')) throw new TargetRejectedError('the host must not end with a dot');
  const isName = isIP(host) === 0;
  const isHere = isLoopbackAddress(host) || isLocalhost(host);
  if (isHere && rules.allowInsecure) return url;
  if (isHere && (isName || !isAllowedAddress(host, rules))) {
    throw new TargetRejectedError('the host is this machine');
  }
  if (!isName && !isAllowedAddress(host, rules)) throw new TargetRejectedError('the address is not public');
  if (url.protocol !== 'https:') throw notHttps();
  return url;
}

/** Returns the host of a URL without the brackets of an IPv6 address. */
export function bareHost({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** Checks the text itself, because parsing repairs and drops what must be rejected. */
function refuseForm(text: string): void {
  if (text.length > MAX_URL_LENGTH) throw tooLong();
  if (HIDDEN.test(text))
    throw new TargetRejectedError('it contains white space, a control character or a backslash');
  const authority = FORM.exec(text)?.[1];
  if (authority === undefined) throw notHttps();
  if (authority.includes('@')) throw new TargetRejectedError('it must not contain a user name or password');
  if (text.includes('#')) throw new TargetRejectedError('it must not have a fragment');
}

function tooLong(): TargetRejectedError {
  return new TargetRejectedError(`it is longer than ${MAX_URL_LENGTH} characters`);
}

function notHttps(): TargetRejectedError {
  return new TargetRejectedError('it must begin with https://');
}
