/**
 * Parses a base URL. A path in it is kept as a prefix, with or without a trailing slash. Because the credential is sent
 * there, the scheme must be https; http is accepted for this machine only, unless `allowInsecure` is set.
 *
 * @throws TypeError for any other scheme, and for a URL with a user name, query or fragment
 */
export function parseBaseUrl(baseUrl: string, { allowInsecure = false } = {}): URL {
  const url = new URL(baseUrl);
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isHttp || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('The base URL must be an http or https URL without user name, query or fragment.');
  }
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    throw new TypeError('The base URL must be https: over plain http the credential can be read in transit.');
  }
  url.pathname = url.pathname.replace(/\/?$/, '/');
  return url;
}

/** The URL parser has already normalised every spelling of an IPv4 address. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
