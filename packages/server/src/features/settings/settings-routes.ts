import { cancelDeletion, getSettings, requestDeletion } from '@tps/contract';
import type { Config } from '../../platform/config/config.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { toTenantLimits } from '../../platform/rate-limit/tenant-limits.ts';
import { notFound } from '../../platform/service-error.ts';
import { toTimestamp } from '../../platform/time.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { deviceStore } from '../devices/index.ts';
import type { RetentionService } from '../maintenance/index.ts';
import { type DeletionRequests, tenantStore, toDeletionRequest } from '../tenants/index.ts';
import { findSignOn } from './sign-on-read-model.ts';
import { toSettings } from './tenant-settings.ts';

export function settingsRoutes(parts: {
  database: RequestDatabase;
  config: Pick<Config, 'limits' | 'devices' | 'monitoring' | 'rateLimit'>;
  version: string;
  retention: Pick<RetentionService, 'get'>;
  deletions: DeletionRequests;
}): Route[] {
  const { database, config, version, retention, deletions } = parts;
  const { read } = database;
  return [
    route(getSettings, async ({ tenantId }) => {
      const tenant = await tenantStore.findRecord(read, tenantId);
      if (!tenant) throw notFound('tenant');
      const activeDevices = await deviceStore.countActive(read, tenantId);
      const settings = toSettings({
        tenant,
        config,
        retention: await retention.get(tenantId),
        limits: toTenantLimits({ setLimit: tenant.rateLimitPerMinute, activeDevices }, config.rateLimit),
        signOn: await findSignOn(read, tenantId),
      });
      const { name, environment, createdAtMs, requestedDeletion } = tenant;
      const created_at = toTimestamp(createdAtMs);
      const deletion = requestedDeletion && toDeletionRequest(requestedDeletion);
      return {
        status: 200,
        body: { tenant_id: tenantId, name, environment, created_at, version, settings, deletion },
      };
    }),

    route(requestDeletion, async (exchange) => ({
      status: 201,
      body: await deletions.create(exchange.body(), exchange),
    })),

    route(cancelDeletion, async (exchange) => {
      await deletions.cancel(exchange);
      return { status: 204 };
    }),
  ];
}
