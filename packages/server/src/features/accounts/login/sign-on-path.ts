import type { WebSite } from '../../../platform/web/web-route.ts';

/** Returns the path of the page that leads to the provider of a tenant, or asks which one. */
export function signOnPath(
  site: Pick<WebSite, 'path'>,
  { tenantId, returnTo }: { tenantId?: string | undefined; returnTo?: string | undefined },
): string {
  const query = new URLSearchParams({
    ...(tenantId === undefined ? {} : { tenant: tenantId }),
    ...(returnTo === undefined ? {} : { return_to: returnTo }),
  });
  return `${site.path('/sign-on/start')}?${query}`;
}
