import { readFileSync } from 'node:fs';
import type { Database } from '../../database/index.ts';
import { checkBundleKey } from '../../features/indicators/index.ts';
import {
  checkStoredSecrets,
  Dispatcher,
  RequestOrigins,
  registerWebhookMetrics,
  SecretKeeper,
  UnreadableSecretsError,
} from '../../features/webhooks/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Activity } from '../../platform/concurrency/activity.ts';
import type { Config } from '../../platform/config/config.ts';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import type { Tracer } from '../../platform/tracing/tracer.ts';

/** The parts that deliver events to webhooks. */
export interface WebhookDelivery {
  readonly client: OutboundClient;
  readonly secrets: SecretBox;
  readonly dispatcher: Dispatcher;
  /** The requests whose events are delivered. */
  readonly origins: RequestOrigins;
  readonly secretKeeper: SecretKeeper;
}

/**
 * Prepares webhook delivery: opens every stored secret, so that a wrong key is found now and not by the first
 * event. Webhooks whose secret no process can read are disabled. The dispatcher delivers nothing before it is started.
 */
export async function prepareWebhooks(parts: {
  config: Config;
  database: Database;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
  tracer: Tracer;
  activity: Activity;
}): Promise<WebhookDelivery> {
  const { config, database, clock, logger, metrics, tracer, activity } = parts;
  const secrets = new SecretBox(config.secrets);
  if (secrets.persistence === 'memory') {
    logger.warn(
      'SERVICE_SECRET_KEY_B64 is not set: webhooks are kept in memory only and are lost on restart. ' +
        'Create a key with: openssl rand -base64 32',
    );
  }
  await reportUnreadableSecrets({ database, secrets, clock, logger });
  await checkBundleKey({ database, secrets });
  const { allowInsecureTargets, allowedNetworks, caFile, dnsServers } = config.webhooks;
  if (allowedNetworks.length > 0) {
    logger.info(
      { networks: allowedNetworks.map(({ text }) => text) },
      'webhooks may target private networks',
    );
  }
  const client = new OutboundClient({
    allowInsecureTargets,
    allowedNetworks,
    ...(caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') }),
    ...(dnsServers === undefined ? {} : { dnsServers }),
  });
  const origins = new RequestOrigins();
  const dispatcher = new Dispatcher({
    ...{ database, clock, client, secrets, logger, origins, tracer, activity },
    observe: registerWebhookMetrics(metrics, { database, clock }),
  });
  const secretKeeper = new SecretKeeper({ database, secrets, clock, logger });
  await secretKeeper.start();
  return { client, secrets, dispatcher, origins, secretKeeper };
}

/** Events are accepted even so: they wait for the secrets as dead letters. */
async function reportUnreadableSecrets(parts: {
  database: Database;
  secrets: SecretBox;
  clock: Clock;
  logger: Logger;
}): Promise<void> {
  try {
    await checkStoredSecrets(parts);
  } catch (error) {
    if (!(error instanceof UnreadableSecretsError)) throw error;
    parts.logger.error(error.message);
  }
}
