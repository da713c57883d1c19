import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { SharedParts } from '../../features/feature.ts';
import type { Config } from '../../platform/config/config.ts';
import type { OptionName } from '../../platform/config/config-options.ts';
import type { HttpAddress } from '../../platform/http/http-address.ts';
import { createMetricsServer } from '../http/metrics-server.ts';
import { guardMetrics } from './guard-connections.ts';

/** Listens for requests. Returns the base URL of the API: port 0 means any free port, which is known only now. */
export async function listen(app: FastifyInstance, { http: { bind }, urls }: Config): Promise<string> {
  await orExplain('SERVICE_BIND', bind, async () => {
    // Only the first address of a name with several: a single server is watched and drained.
    const { address } = await lookup(bind.host);
    await app.listen({ host: address, port: bind.port, backlog: 1024 });
  });
  const address = app.server.address() as AddressInfo | null;
  return bind.port === 0 && address ? urls.baseUrl.replace(/:0(?=\/|$)/, `:${address.port}`) : urls.baseUrl;
}

/** Serves the metrics, if they are wanted. */
export async function listenForMetrics({
  config,
  logger,
  metrics,
}: Pick<SharedParts, 'config' | 'logger' | 'metrics'>): Promise<Server | undefined> {
  if (!config.metrics) return undefined;
  const { bind, token } = config.metrics;
  const server = createMetricsServer({ metrics, token, logger });
  guardMetrics(server, { config, logger });
  await orExplain('SERVICE_METRICS_BIND', bind, () => {
    return new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(bind.port, bind.host, resolve);
    });
  });
  server.unref();
  return server;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use by another program',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EACCES: 'this user may not listen on the port',
  ENOTFOUND: 'the name has no address',
};

/** @throws Error of one sentence that names the address, the reason and the option */
async function orExplain(
  option: OptionName,
  { host, port }: HttpAddress,
  attempt: () => Promise<void>,
): Promise<void> {
  try {
    await attempt();
  } catch (cause) {
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw cause;
    const place = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    const orOff = option === 'SERVICE_METRICS_BIND' ? ', or to off' : '';
    throw new Error(`Cannot listen on ${place}: ${reason}. Set ${option} to another address${orOff}.`);
  }
}
