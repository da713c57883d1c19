/**
 * Checks an address and gives it without a slash at its end. The credential goes there, so it has to be https; http is
 * taken on this machine alone, unless told otherwise.
 *
 * @throws TypeError
 */
export function toBaseUrl(address: string, { allowInsecure = false }: { allowInsecure?: boolean }): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new TypeError('The address must be an absolute https address.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('The address must be without user, password, query and fragment.');
  }
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    throw new TypeError('The address must be https: over http anybody on the way reads the credential.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** The parser of URLs has brought every way to write an IPv4 address into one by now. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
