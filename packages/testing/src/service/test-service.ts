import { type Environment, SCOPES, type Scope } from '@tps/contract';
import { createLogger, loadConfig, type Service, startService, type Workflow } from '@tps/server/service';
import { type Clock, systemClock, type TenantId, TenantService, TokenService } from '@tps/server/store';
import { createTestStore } from '../store/test-store.ts';
import { type ContractClient, createContractClient } from './contract-client.ts';

/** A tenant and a credential of it that holds every scope. */
export interface TestTenant {
  readonly tenantId: TenantId;
  readonly credential: string;
}

export interface TestService {
  readonly service: Service;
  readonly baseUrl: string;
  /** Checks every answer against the contract. */
  readonly client: ContractClient;
  /** The tenant of the first start. */
  readonly tenant: TestTenant;
  readonly operatorCredential: string;
  /** Everything that was logged so far, a JSON object per line. */
  readonly log: () => string;
  createTenant(environment?: Environment): Promise<TestTenant>;
  createCredential(
    tenantId: TenantId | null,
    scopes: readonly Scope[],
    expiresAtMs?: number,
  ): Promise<string>;
  /** Starts another node on the same store, which has to be PostgreSQL. Whoever starts it stops it first. */
  startNode(): Promise<Service>;
  /** Stops the service and removes its store. */
  stop(): Promise<void>;
}

/**
 * Starts the real service on a free port and a store of its own. `env` sets `SERVICE_*` variables; `workflows` stand in
 * for the service's own.
 */
export async function startTestService(
  options: { env?: Record<string, string>; clock?: Clock; workflows?: readonly Workflow[] } = {},
): Promise<TestService> {
  const store = await createTestStore();
  const clock = options.clock ?? systemClock;
  const lines: string[] = [];
  const config = loadConfig({
    SERVICE_BIND: '127.0.0.1:0',
    SERVICE_METRICS_BIND: 'off',
    SERVICE_DATABASE_URL: store.url,
    // Tests send more than people do; those about the limit set their own.
    SERVICE_RATE_LIMIT_PER_MINUTE: '1000000',
    SERVICE_LOG_LEVEL: 'debug',
    ...options.env,
  });
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: config.logging.level, destination });
  const startNode = () =>
    startService({ config, logger, clock, ...(options.workflows && { workflows: options.workflows }) });
  const service = await startNode();
  const { database, baseUrl, firstStart } = service;
  if (!firstStart) throw new Error('a fresh store was not fresh');
  const tokens = new TokenService({ database, clock });
  const tenants = new TenantService({ database, clock });

  const createCredential = async (
    tenantId: TenantId | null,
    scopes: readonly Scope[],
    expiresAtMs?: number,
  ) => {
    const environment = tenantId === null ? 'live' : (await tenants.get(tenantId)).environment;
    const wanted = { tenantId, environment, name: 'test', scopes, expiresAtMs: expiresAtMs ?? null };
    const minted = await database.transaction((tx) => tokens.createFromCommandLine(tx, wanted));
    return minted.credential.reveal();
  };
  return {
    service,
    baseUrl,
    client: createContractClient(baseUrl),
    tenant: { tenantId: firstStart.tenantId, credential: firstStart.adminCredential },
    operatorCredential: firstStart.operatorCredential,
    log: () => lines.join(''),
    createCredential,
    startNode,
    async createTenant(environment = 'live') {
      const { tenantId } = await database.transaction((tx) =>
        tenants.create(tx, { name: 'other', environment }),
      );
      return { tenantId, credential: await createCredential(tenantId, SCOPES) };
    },
    async stop() {
      await service.stop();
      await store.drop();
    },
  };
}
