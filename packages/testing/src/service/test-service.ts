import { type Environment, SCOPES, type Scope } from '@tps/contract';
import {
  type AppendThreadOptions,
  createLogger,
  type FirstStart,
  loadConfig,
  type Service,
  startService,
  type Workflow,
} from '@tps/server/service';
import { type Clock, systemClock, type TenantId, TenantService, TokenService } from '@tps/server/store';
import { findFreePort } from '../network/free-port.ts';
import { createTestStore, type TestStore } from '../store/test-store.ts';
import { type ContractClient, createContractClient } from './contract-client.ts';
import { PASSWORD_COST } from './password-cost.ts';

/** A tenant, and a credential of it with every scope. */
export interface TestTenant {
  readonly tenantId: TenantId;
  readonly credential: string;
}

export interface TestService {
  readonly service: Service;
  readonly store: TestStore;
  readonly baseUrl: string;
  /** Checks every answer against the contract. */
  readonly client: ContractClient;
  /** The tenant that the first start creates. */
  readonly tenant: TestTenant;
  readonly operatorCredential: string;
  /** Makes a person the first admin of the tenant. */
  readonly adminLink: string;
  /** Returns everything logged so far, one JSON object per line. */
  readonly log: () => string;
  createTenant(environment?: Environment): Promise<TestTenant>;
  createCredential(
    tenantId: TenantId | null,
    scopes: readonly Scope[],
    expiresAtMs?: number,
  ): Promise<string>;
  /**
   * Starts another node on the same store, which has to be PostgreSQL. Its public address is that
   * of the first node, as behind a load balancer; `baseUrl` of the result reaches the new node. Stop it before this service.
   */
  startNode(): Promise<Service>;
  /** Stops the service and removes its store, unless the store was given. */
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  /** Sets `SERVICE_*` variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly workflows?: readonly Workflow[];
  /** Replaces parts of the thread that appends events. */
  readonly appendThread?: Partial<AppendThreadOptions>;
  /** The built console (default: that of this repository). */
  readonly consoleFolder?: string;
  /** Parameters of argon2id (default: the least that it accepts). */
  readonly passwordCost?: typeof PASSWORD_COST;
  /** An existing store, which the caller drops. By default the service gets a new one. */
  readonly store?: TestStore;
}

/** Starts the real service on a free port. */
export async function startTestService({ store, ...options }: TestServiceOptions = {}): Promise<TestService> {
  if (store) return startOn(store, options);
  const newStore = await createTestStore();
  try {
    const started = await startOn(newStore, options);
    const stop = async () => {
      await started.stop();
      await newStore.drop();
    };
    return { ...started, stop };
  } catch (error) {
    await newStore.drop();
    throw error;
  }
}

async function startOn(store: TestStore, options: Omit<TestServiceOptions, 'store'>): Promise<TestService> {
  const { env, clock = systemClock, workflows, appendThread, consoleFolder } = options;
  const { passwordCost = PASSWORD_COST } = options;
  const lines: string[] = [];
  const variables = {
    SERVICE_BIND: '127.0.0.1:0',
    SERVICE_METRICS_BIND: 'off',
    SERVICE_DATABASE_URL: store.url,
    // Tests send more than people do. Tests of the limit set their own.
    SERVICE_RATE_LIMIT_PER_MINUTE: '1000000',
    SERVICE_LOG_LEVEL: 'debug',
    ...env,
  };
  const firstConfig = loadConfig(variables);
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: firstConfig.logging.level, destination });
  const published: FirstStart[] = [];
  const outlet = {
    publish: (first: FirstStart) => void published.push(first),
    confirm: () => undefined,
    withdraw: () => undefined,
  };
  const replaced = {
    ...(workflows && { workflows }),
    ...(appendThread && { appendThread }),
    ...(consoleFolder && { consoleFolder }),
  };
  const start = (config: ReturnType<typeof loadConfig>) =>
    startService({
      ...{ config, logger, clock, outlet, passwordCost, accessOutput: destination },
      ...replaced,
    });
  const service = await start(firstConfig);
  const { database, baseUrl } = service;
  const [firstStart] = published;
  if (!firstStart) throw new Error('the new store has a tenant already');
  const tokens = new TokenService({ database, clock });
  const tenants = new TenantService({ database, clock });

  const createCredential: TestService['createCredential'] = async (tenantId, scopes, expiresAtMs) => {
    const environment = tenantId === null ? 'live' : (await tenants.get(tenantId)).environment;
    const wanted = { tenantId, environment, name: 'test', scopes, expiresAtMs: expiresAtMs ?? null };
    const minted = await database.transaction((tx) => tokens.createFromCommandLine(tx, wanted));
    return minted.credential.reveal();
  };
  return {
    service,
    store,
    baseUrl,
    client: createContractClient(baseUrl),
    tenant: { tenantId: firstStart.tenantId, credential: firstStart.adminCredential },
    operatorCredential: firstStart.operatorCredential,
    adminLink: firstStart.adminLink,
    log: () => lines.join(''),
    createCredential,
    async startNode() {
      const bind = `127.0.0.1:${await findFreePort()}`;
      const node = await start(loadConfig({ SERVICE_BASE_URL: baseUrl, ...variables, SERVICE_BIND: bind }));
      return { ...node, baseUrl: `http://${bind}` };
    },
    async createTenant(environment = 'live') {
      const { tenantId } = await database.transaction((tx) =>
        tenants.create(tx, { name: 'other', environment }),
      );
      return { tenantId, credential: await createCredential(tenantId, SCOPES) };
    },
    stop: () => service.stop(),
  };
}
