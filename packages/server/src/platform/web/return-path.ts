import type { WebSite } from './web-route.ts';

/** As many characters as an authorization request that is a form has at most: see `request-form.ts`. */
export const MAX_RETURN_PATH_LENGTH = 8192;

/**
 * Returns the path that a page leads back to, such as `/auth/interaction/x` or `/console/alerts`. Anything but a path
 * of our own pages or of the console gives the console instead: a link to our sign-in page must not lead to another site.
 */
export function toReturnPath(site: WebSite, wanted: string | null): string {
  const fallback = site.consolePath;
  const pages = site.path('/');
  if (
    wanted === null ||
    wanted.length > MAX_RETURN_PATH_LENGTH ||
    !/^\/[\w~!$&'()*+,;=:@%/?.-]*$/.test(wanted)
  ) {
    return fallback;
  }
  const { origin } = new URL(site.url);
  if (!URL.canParse(wanted, origin)) return fallback;
  const { origin: target, pathname, search } = new URL(wanted, origin);
  const isOurs = pathname.startsWith(pages) || `${pathname}/`.startsWith(`${site.consolePath}/`);
  const isOwn = target === origin && isOurs && !pathname.startsWith('//');
  return isOwn ? `${pathname}${search}` : fallback;
}
