/**
 * Validates a URL and returns it without a trailing slash. Because the credential is sent there, the scheme must be https;
 * http is accepted for this machine only, unless `allowInsecure` is set.
 *
 * @throws TypeError for any other URL, and for one with a user name, password, query or fragment
 */
export function toBaseUrl(address: string, { allowInsecure = false }: { allowInsecure?: boolean }): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new TypeError('The base URL must be an absolute https URL.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('The base URL must not have a user name, password, query or fragment.');
  }
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    throw new TypeError('The base URL must be https: over plain http the credential can be read in transit.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** The URL parser has already normalised every spelling of an IPv4 address. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
