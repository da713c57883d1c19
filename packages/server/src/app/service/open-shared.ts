import { readFileSync } from 'node:fs';
import { openDatabase, readInstallationKeys, withMetrics } from '../../database/index.ts';
import { RequestDatabase } from '../../features/authority/index.ts';
import type { SharedParts } from '../../features/feature.ts';
import { Activity } from '../../platform/concurrency/activity.ts';
import { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import type { Config } from '../../platform/config/config.ts';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import { createCursorCodec } from '../../platform/http/cursors.ts';
import type { Logger } from '../../platform/logger.ts';
import { Mailer } from '../../platform/mail/mailer.ts';
import { Metrics } from '../../platform/metrics/metrics.ts';
import { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import { serviceVersion } from '../service-version.ts';
import { startTelemetry } from '../telemetry/start-telemetry.ts';
import type { Closers, ServiceOptions } from './service-options.ts';
import { OwnSite } from './web-site.ts';

/** Opens what the features share: the store first, which closes last. */
export async function openShared({ config, logger, clock }: ServiceOptions, opened: Closers) {
  const metrics = new Metrics({ logger });
  const { url, poolSize } = config.database;
  const database = withMetrics(await openDatabase(url.reveal(), { poolSize, logger }), metrics);
  opened.push(() => database.close());
  const telemetry = await startTelemetry({ config, logger, registry: metrics.registry });
  // Closed when all spans have ended, but before the store, which the last metrics are read from.
  opened.push(() => telemetry.stop());
  const { tracer } = telemetry;
  const keys = await readInstallationKeys(database);
  return {
    ...{ config, clock, logger, metrics, tracer, database, keys },
    version: serviceVersion(),
    requests: new RequestDatabase({ database, clock, tracer }),
    cursors: createCursorCodec(keys.cursors),
    turns: new FairTurns(),
    activity: new Activity(),
    secrets: openSecrets(config, logger),
    client: openClient(config, logger),
    mailer: new Mailer({ server: config.mail, logger }),
    site: new OwnSite(config),
  } satisfies SharedParts;
}

function openSecrets(config: Config, logger: Logger): SecretBox {
  const secrets = new SecretBox(config.secrets);
  if (secrets.persistence === 'memory') {
    logger.warn(
      'SERVICE_SECRET_KEY_B64 is not set: webhooks are kept in memory only and are lost on restart. ' +
        'Create a key with: openssl rand -base64 32',
    );
  }
  return secrets;
}

function openClient({ webhooks }: Config, logger: Logger): OutboundClient {
  const { allowInsecureTargets, allowedNetworks, caFile, dnsServers } = webhooks;
  if (allowedNetworks.length > 0) {
    logger.info(
      { networks: allowedNetworks.map(({ text }) => text) },
      'webhooks may target private networks',
    );
  }
  return new OutboundClient({
    allowInsecureTargets,
    allowedNetworks,
    ...(caFile === undefined ? {} : { ca: readFileSync(caFile, 'utf8') }),
    ...(dnsServers === undefined ? {} : { dnsServers }),
  });
}
