import ipaddr from 'ipaddr.js';
import { isLocalhost } from '../../../platform/outbound/loopback.ts';

/** Everything that a browser and a server may read differently: white space, controls, quotes, backslashes, wildcards. */
const PERMITTED = /^[\x21-\x7e]+$/;
const AMBIGUOUS = /["'<>\\^`{|}*]/;
/** A domain that the developer owns, reversed (RFC 8252, section 7.1). It cannot be `javascript`, which has no dot. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/?[^/]/;
/** The addresses of this machine that any program may listen on. `localhost` may resolve to another (RFC 8252, 8.3). */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;

/** Whether any port is accepted at the authorization endpoint (RFC 8252, section 7.3). */
export function isLoopbackUri(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/** Whether a URI opens a program of the device instead of a page. */
export function hasPrivateScheme(uri: string): boolean {
  return PRIVATE_SCHEME.test(uri);
}

/** Returns why a redirect URI is not accepted; undefined if it is. */
export function problemOfRedirectUri(uri: string, { isPublic }: { isPublic: boolean }): string | undefined {
  const problem = problemOfText(uri);
  if (problem) return problem;
  if (hasPrivateScheme(uri)) {
    return isPublic ? undefined : 'may have a private-use scheme only if token_endpoint_auth_method is none';
  }
  if (isLoopbackUri(uri)) return undefined;
  return problemOfHttps(uri)
    ? 'must begin with https://, http://127.0.0.1, http://[::1] or a private-use scheme'
    : undefined;
}

/** Returns why the address of a home page is not accepted; undefined if it is. */
export function problemOfClientUri(uri: string): string | undefined {
  return problemOfText(uri) ?? (problemOfHttps(uri) ? 'must begin with https://' : undefined);
}

/** Checks the text itself, because parsing repairs what must be rejected. */
function problemOfText(uri: string): string | undefined {
  if (!PERMITTED.test(uri) || AMBIGUOUS.test(uri)) {
    return 'must not contain white space, quotes, backslashes, wildcards or characters outside ASCII';
  }
  if (uri.includes('#')) return 'must not have a fragment';
  const url = URL.parse(uri);
  if (!url) return 'is not a valid URI';
  return url.username === '' && url.password === '' && !/^[^/?]*\/\/[^/?]*@/.test(uri)
    ? undefined
    : 'must not contain a user name or password';
}

function problemOfHttps(uri: string): boolean {
  const url = URL.parse(uri);
  return !/^https:\/\/[^/?]/.test(uri) || url === null || isThisMachine(url.hostname);
}

/** Whether a host, as a parser of URLs returns it, is the machine of the browser, in any spelling. */
function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (!ipaddr.isValid(host)) return isLocalhost(host);
  // An IPv4 address can be spelled as an IPv6 address.
  return ['loopback', 'unspecified'].includes(ipaddr.process(host).range());
}
