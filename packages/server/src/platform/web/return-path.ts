import type { WebSite } from './web-route.ts';

const MAX_LENGTH = 2048;

/**
 * Returns the path that a page leads back to, such as `/auth/interaction/x`. Anything but a path of our own pages gives the
 * account page instead: a link to our sign-in page must not lead to another site.
 */
export function toReturnPath(site: WebSite, wanted: string | null): string {
  const fallback = site.path('/account');
  const pages = site.path('/');
  if (wanted === null || wanted.length > MAX_LENGTH || !/^\/[\w~!$&'()*+,;=:@%/?.-]*$/.test(wanted)) {
    return fallback;
  }
  const { origin } = new URL(site.url);
  if (!URL.canParse(wanted, origin)) return fallback;
  const { origin: target, pathname, search } = new URL(wanted, origin);
  const isOwn = target === origin && pathname.startsWith(pages) && !pathname.startsWith('//');
  return isOwn ? `${pathname}${search}` : fallback;
}
