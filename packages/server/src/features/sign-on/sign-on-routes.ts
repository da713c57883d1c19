import { getSignOn, removeSignOn, replaceSignOn } from '@tps/contract';
import { type Route, route } from '../../platform/http/route.ts';
import { notFound } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { WebSite } from '../../platform/web/web-route.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { type SignOnProvider, toSignOn } from './sign-on-provider.ts';
import * as providerStore from './sign-on-provider-store.ts';
import type { SignOnService } from './sign-on-service.ts';

export function signOnRoutes(parts: {
  database: RequestDatabase;
  signOn: SignOnService;
  site: Pick<WebSite, 'url'>;
}): Route[] {
  const { database, signOn, site } = parts;
  const present = (tenantId: TenantId, provider: SignOnProvider) => ({
    status: 200,
    body: toSignOn(provider, {
      tenantId,
      hasSecret: signOn.secretOf(tenantId, provider) !== undefined,
      siteUrl: site.url,
    }),
  });
  return [
    route(getSignOn, async ({ tenantId }) => {
      const provider = await providerStore.find(database.read, tenantId);
      if (!provider) throw notFound('sign-on provider');
      return present(tenantId, provider);
    }),

    route(replaceSignOn, async (exchange) => {
      const { tenantId } = exchange;
      return present(tenantId, await signOn.replace(tenantId, exchange.body(), exchange));
    }),

    route(removeSignOn, async (exchange) => {
      await signOn.remove(exchange.tenantId, exchange);
      return { status: 204 };
    }),
  ];
}
