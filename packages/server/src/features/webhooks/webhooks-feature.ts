import type { Database } from '../../database/index.ts';
import type { Feature, SharedParts } from '../feature.ts';
import type { ServiceCheck } from '../notices/index.ts';
import { deadLetterBulkRoutes } from './deliveries/dead-letter-bulk-routes.ts';
import { deliveryRoutes } from './deliveries/delivery-routes.ts';
import { DeliveryService, type Wake } from './deliveries/delivery-service.ts';
import { purgeDeliveries } from './deliveries/purge-deliveries.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { RequestOrigins } from './dispatch/request-origins.ts';
import { SecretKeeper } from './secrets/secret-keeper.ts';
import { checkStoredSecrets, UnreadableSecretsError } from './secrets/stored-secrets.ts';
import { registerWebhookMetrics } from './webhook-metrics.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { WebhookService } from './webhook-service.ts';
import * as webhookStore from './webhook-store.ts';

export type WebhooksFeature = Awaited<ReturnType<typeof webhooksFeature>>;

/**
 * Webhooks and the delivery of events to them. Opens every stored secret, so that a wrong key is found now and not by the
 * first event. Webhooks whose secret no process can read are disabled.
 */
export async function webhooksFeature(shared: SharedParts) {
  const { database, requests, clock, client, metrics } = shared;
  await reportUnreadableSecrets(shared);
  const observe = registerWebhookMetrics(metrics, { database, clock });
  const origins = new RequestOrigins();
  const dispatcher = new Dispatcher({ ...shared, origins, observe });
  const secretKeeper = new SecretKeeper(shared);
  await secretKeeper.start();
  const wake: Wake = (tenantId, webhookIds) => dispatcher.wake(tenantId, webhookIds);
  const deliveries = new DeliveryService({ database: requests, clock, wake });
  const webhooks = new WebhookService({
    ...{ ...shared, database: requests },
    checkTarget: (url) => client.checkTarget(url),
    wake: () => dispatcher.pollNow(),
  });
  const parts = { ...shared, database: requests, webhooks, deliveries };
  return {
    ...{ dispatcher, origins, wake },
    routes: [...webhookRoutes(parts), ...deliveryRoutes(parts), ...deadLetterBulkRoutes(parts)],
    loops: [dispatcher],
    component: {
      name: 'dispatcher',
      isUp: () => dispatcher.isRunning(),
      check: {
        name: 'deliveries',
        problem: 'Webhook delivery is not running',
        whatToDo: 'Look for "webhook" in the log. If the store works, restart the service.',
      },
    },
    checks: [givenUpCheck(database)],
    purgeTenant: (tenantId, nowMs) => purgeDeliveries(database, tenantId, nowMs),
    close: () => secretKeeper.stop(),
  } satisfies Feature;
}

function givenUpCheck({ read }: Database): ServiceCheck {
  return {
    name: 'webhooks',
    levelWhenLate: null,
    whatToDo:
      'Their tenants have an incident of category monitoring with the reason. A lost secret has to be replaced: tps webhooks rotate-secret.',
    async findProblem() {
      const count = await webhookStore.countGivenUp(read);
      if (count === 0) return undefined;
      const problem = `Webhooks were disabled because they failed or their secret is lost: ${count}`;
      return { level: 'warning', problem };
    },
  };
}

/** Events are accepted even so: they wait for the secrets as dead letters. */
async function reportUnreadableSecrets(shared: SharedParts): Promise<void> {
  try {
    await checkStoredSecrets(shared);
  } catch (error) {
    if (!(error instanceof UnreadableSecretsError)) throw error;
    shared.logger.error(error.message);
  }
}
