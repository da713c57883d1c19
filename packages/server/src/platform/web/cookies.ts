import type { WebSite } from './web-route.ts';

interface CookieOptions {
  readonly site: Pick<WebSite, 'isSecure'>;
  /** Default: until the browser ends. */
  readonly maxAgeS?: number;
}

/**
 * Returns the name of a cookie. Over https it has the prefix `__Host-`: browsers accept it only from this host, so another
 * host of the domain cannot set it. Over http, which is for this machine only, browsers would refuse the prefix.
 */
export function cookieName(site: Pick<WebSite, 'isSecure'>, name: string): string {
  return site.isSecure ? `__Host-${name}` : name;
}

/** Builds a `Set-Cookie` header. Scripts cannot read the cookie, and other sites cannot send it with a POST. */
export function toCookie(name: string, value: string, { site, maxAgeS }: CookieOptions): string {
  const age = maxAgeS === undefined ? '' : `; Max-Age=${maxAgeS}`;
  const secure = site.isSecure ? '; Secure' : '';
  return `${cookieName(site, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`;
}

/** Builds the header that removes a cookie. */
export function toRemovedCookie(name: string, site: Pick<WebSite, 'isSecure'>): string {
  return toCookie(name, '', { site, maxAgeS: 0 });
}

/** Parses a `Cookie` header. Of two cookies with one name, the first counts. */
export function parseCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1) continue;
    const name = pair.slice(0, equals).trim();
    if (!cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}
