import { findFreePort } from '@tps/testing/network';
import { PASSWORD_COST } from '@tps/testing/service';
import { systemClock } from '../../../platform/clock.ts';
import { loadConfig } from '../../../platform/config/config.ts';
import { createLogger } from '../../../platform/logger.ts';
import type { FirstStart } from '../../service/first-start.ts';
import { type Service, startService } from '../../service/start-service.ts';

type Environment = Readonly<Record<string, string>>;

/** A node of the service in this process, at an address that stays when it is restarted with other settings. */
export interface RestartableNode {
  readonly baseUrl: string;
  /** Undefined while it is down. */
  service(): Service | undefined;
  /** What its first start has created, if it was the first node on the store. */
  readonly first: FirstStart | undefined;
  restart(env: Environment): Promise<void>;
  stop(): Promise<void>;
}

export async function startRestartableNode(env: Environment): Promise<RestartableNode> {
  const bind = `127.0.0.1:${await findFreePort()}`;
  let first: FirstStart | undefined;
  const outlet = {
    publish: (created: FirstStart) => {
      first = created;
    },
    confirm: () => undefined,
    withdraw: () => undefined,
  };
  const start = (settings: Environment) =>
    startService({
      config: loadConfig({
        SERVICE_METRICS_BIND: 'off',
        SERVICE_RATE_LIMIT_PER_MINUTE: '1000000',
        ...settings,
        SERVICE_BIND: bind,
      }),
      logger: createLogger({ level: 'silent' }),
      clock: systemClock,
      outlet,
      passwordCost: PASSWORD_COST,
    });
  let service: Service | undefined = await start(env);
  const stop = async () => {
    const running = service;
    service = undefined;
    await running?.stop();
  };
  return {
    baseUrl: `http://${bind}`,
    service: () => service,
    first,
    stop,
    async restart(settings) {
      await stop();
      service = await start(settings);
    },
  };
}
