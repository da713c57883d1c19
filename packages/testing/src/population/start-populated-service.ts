import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SCOPES } from '@tps/contract';
import { createLogger, loadConfig, type Service, startService } from '@tps/server/service';
import { PasswordHasher, type TenantId, TenantService, TokenService } from '@tps/server/store';
import { DAY_MS } from './plan-events.ts';
import { AGE_DAYS, type Population, populate } from './populate.ts';
import { TravelClock } from './travel-clock.ts';

/** A service in this process, with a tenant that looks as after months of use. */
export interface PopulatedService extends Population {
  readonly baseUrl: string;
  readonly service: Service;
  readonly tenantId: TenantId;
  /** Holds every scope of the tenant. */
  readonly credential: string;
  /** Stops the service and the receivers. The folder stays. */
  stop(): Promise<void>;
}

export interface PopulatedServiceOptions {
  /** A folder for the store, which must be empty. */
  readonly directory: string;
  /** Address and port (default: a free port of this machine). */
  readonly bind?: string;
  readonly days?: number;
  readonly seed?: number;
  /** Work per password (default: that of a real installation). */
  readonly passwordCost?: { memoryKiB: number; passes: number };
  /** The password of the first admin (default: random). */
  readonly password?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the service on a new SQLite store and populates a tenant. */
export async function startPopulatedService(options: PopulatedServiceOptions): Promise<PopulatedService> {
  const { directory, bind = '127.0.0.1:0', days, seed, passwordCost, password, env } = options;
  const config = loadConfig({
    SERVICE_BIND: bind,
    SERVICE_METRICS_BIND: 'off',
    SERVICE_DATABASE_URL: `sqlite:${join(directory, 'demo.db')}`,
    SERVICE_SECRET_KEY_B64: randomBytes(32).toString('base64'),
    // The receivers of the webhooks run on this machine.
    SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
    // A whole fleet sends more than the default of 120 requests a minute.
    SERVICE_RATE_LIMIT_PER_MINUTE: '1000000',
    ...env,
  });
  const clock = new TravelClock(Date.now() - AGE_DAYS * DAY_MS);
  const logger = createLogger({
    level: 'error',
    destination: { write: (line) => void process.stderr.write(line) },
  });
  const outlet = { publish: () => undefined, confirm: () => undefined, withdraw: () => undefined };
  const cost = passwordCost === undefined ? {} : { passwordCost };
  const service = await startService({ config, logger, clock, outlet, ...cost });
  try {
    const { baseUrl, database } = service;
    const { tenantId, credential } = await createTenant(service, clock);
    const passwords = [password ?? randomBytes(9).toString('base64url')];
    const passwordOf = (index: number) => passwords[index] ?? randomBytes(12).toString('base64url');
    const hasher = new PasswordHasher(passwordCost === undefined ? {} : { cost: passwordCost });
    const population = await populate(
      { baseUrl, database, tenantId, credential, clock },
      {
        passwordOf,
        hasher,
        ...(days === undefined ? {} : { days }),
        ...(seed === undefined ? {} : { seed }),
      },
    );
    const stop = async () => {
      await service.stop();
      await population.close();
    };
    return { ...population, baseUrl, service, tenantId, credential, stop };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

async function createTenant({ database }: Service, clock: TravelClock) {
  const tenants = new TenantService({ database, clock });
  const tokens = new TokenService({ database, clock });
  return database.transaction(async (tx) => {
    const { tenantId } = await tenants.create(tx, { name: 'Nordwind Logistics', environment: 'live' });
    const wanted = {
      tenantId,
      environment: 'live',
      name: 'Provisioning',
      scopes: SCOPES,
      expiresAtMs: null,
    } as const;
    const minted = await tokens.createFromCommandLine(tx, wanted);
    return { tenantId, credential: minted.credential.reveal() };
  });
}
