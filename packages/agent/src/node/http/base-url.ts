/**
 * Reads a base URL. A path in it is kept as a prefix, with or without a slash at the end. The credential goes there, so
 * it has to be https; http is taken on this machine alone, unless told otherwise.
 *
 * @throws TypeError for any other, and for one with user name, query or fragment
 */
export function parseBaseUrl(baseUrl: string, { allowInsecure = false } = {}): URL {
  const url = new URL(baseUrl);
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isHttp || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('The base URL must be http or https, without user name, query and fragment.');
  }
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    throw new TypeError('The base URL must be https: over http anybody on the way reads the credential.');
  }
  url.pathname = url.pathname.replace(/\/?$/, '/');
  return url;
}

/** The parser of URLs has brought every way to write an IPv4 address into one by now. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
