import type { Database, Queries, ReadQueries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AdmittedRequest, Caller } from '../../platform/http/route.ts';
import type { ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { NO_TRACER, type Tracer, traceShared } from '../../platform/tracing/tracer.ts';
import { type Requester, refusalOf } from './authority.ts';
import {
  awaitRelianceOnTenant,
  awaitRelianceOnToken,
  listUnused,
  readAuthority,
  relyOn,
} from './authority-read-model.ts';

type Options = Parameters<Database['transaction']>[1];

/**
 * The store as requests use it. A request is admitted before its body is read, and its credential may end before it
 * changes anything. So each transaction begins by confirming the authority of its request, and there is none without.
 */
export class RequestDatabase {
  readonly #database: Pick<Database, 'read' | 'transaction'>;
  readonly #clock: Clock;

  readonly #tracer: Tracer;

  constructor(parts: {
    database: Pick<Database, 'read' | 'transaction'>;
    clock: Clock;
    /** Default: none. */
    tracer?: Tracer;
  }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#tracer = parts.tracer ?? NO_TRACER;
  }

  get read(): ReadQueries {
    return this.#database.read;
  }

  /** Returns, for requests that last, why each may continue no longer; undefined while it may. */
  async findRefusals(
    requests: readonly AdmittedRequest[],
  ): Promise<(request: AdmittedRequest) => ServiceError | undefined> {
    const authorityOf = await readAuthority(this.#database.read, requests);
    const nowMs = this.#clock.now();
    return (request) => refusalOf(request, authorityOf(request), nowMs);
  }

  /**
   * Runs the changes of a request. `caller` is its token as stored now.
   * @throws ServiceError `invalid_credentials` if the token was revoked or expired, or its tenant is being deleted
   */
  transaction<R>(
    request: AdmittedRequest,
    work: (tx: Queries, caller: Caller) => Promise<R>,
    options?: Options,
  ): Promise<R> {
    const transact = async (tx: Queries) => {
      const authorityOf = await relyOn(tx, [request]);
      const stored = authorityOf(request);
      const refusal = refusalOf(request, stored, this.#clock.now());
      if (refusal) throw refusal;
      // What a credential is bound to never changes.
      return work(tx, { ...request.caller, ...stored?.caller });
    };
    return this.#traced([request], () => this.#database.transaction(transact, options));
  }

  /**
   * Runs the changes of several requests together. `refusalOf` returns the error of each request that may change
   * nothing: `work` must leave these out. It may run more than once.
   */
  groupTransaction<R>(
    requests: readonly AdmittedRequest[],
    work: (tx: Queries, refusalOf: (request: AdmittedRequest) => ServiceError | undefined) => Promise<R>,
  ): Promise<R> {
    const transact = async (tx: Queries) => {
      const authorityOf = await relyOn(tx, requests);
      const nowMs = this.#clock.now();
      return work(tx, (request) => refusalOf(request, authorityOf(request), nowMs));
    };
    return this.#traced(requests, () => this.#database.transaction(transact, { repeatable: true }));
  }

  #traced<R>(requests: readonly AdmittedRequest[], work: () => Promise<R>): Promise<R> {
    const parents = requests.map(({ trace }) => trace);
    return traceShared(this.#tracer, { name: 'transaction', parents }, work);
  }
}

/**
 * Confirms in a transaction that has locked the tenant that the credential of its request has not ended since it began. What
 * creates authority does: what ends authority locks the tenant too, so either this transaction fails, or the other one finds
 * what it has created.
 * @throws ServiceError as a transaction of the request does at its beginning
 */
export async function confirmCredential(tx: Queries, request: Requester, nowMs: number): Promise<void> {
  const authorityOf = await readAuthority(tx, [request]);
  const refusal = refusalOf(request, authorityOf(request), nowMs);
  if (refusal) throw refusal;
}

/**
 * Resolves when no transaction that still saw the token as active can commit. Call it after the commit that ends the
 * token, and before the response. On SQLite transactions follow one another: there is nothing to wait for.
 */
export async function awaitEndOfToken(
  database: Database,
  { tenantId, tokenId }: { tenantId: TenantId; tokenId: string },
): Promise<void> {
  await awaitEndOfTokens(database, { tenantId, tokenIds: [tokenId] });
}

/** Does the same for several tokens of a tenant. */
export async function awaitEndOfTokens(
  database: Pick<Database, 'engine' | 'transaction'>,
  { tenantId, tokenIds }: { tenantId: TenantId; tokenIds: readonly string[] },
): Promise<void> {
  if (database.engine === 'sqlite' || tokenIds.length === 0) return;
  const options = { idempotent: true };
  const unused = await database.transaction((tx) => listUnused(tx, tenantId, tokenIds), options);
  const isUnused = new Set(unused);
  for (const tokenId of tokenIds.filter((id) => !isUnused.has(id))) {
    // One at a time: a request that relies on the next one may be about to end the one before.
    await database.transaction((tx) => awaitRelianceOnToken(tx, tenantId, tokenId), options);
  }
}

/** Does the same for a tenant that is being deleted. */
export async function awaitEndOfTenant(database: Database, tenantId: TenantId): Promise<void> {
  if (database.engine === 'sqlite') return;
  await database.transaction((tx) => awaitRelianceOnTenant(tx, tenantId), { idempotent: true });
}
