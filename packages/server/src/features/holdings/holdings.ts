import type { Holding, HoldingKind } from '@tps/contract';
import type { Database, Queries, ReadQueries } from '../../database/index.ts';
import { type Clock, MAX_CLOCK_DIFFERENCE_MS } from '../../platform/clock.ts';
import type { AdmittedRequest, Caller } from '../../platform/http/route.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { auditStore } from '../audit/index.ts';
import { awaitEndOfTokens, lockTenant } from '../authority/index.ts';
import {
  type ActiveHolding,
  compareKeys,
  type HoldingKey,
  type HoldingRecord,
  type HoldingRoot,
  type HoldingRule,
  isSameOwner,
  keyOf,
  ownerOf,
  toHolding,
} from './holding.ts';
import * as holdingStore from './holding-store.ts';

/** Most rows are of tokens that have ended, and are skipped. */
const ROWS_AT_ONCE = 500;

/** What to do about single sign-on, which decides who belongs to the tenant, when its owner ends. */
export type SignOnEnding =
  /** The change is refused: it must be adopted or deleted first. */
  | 'refuse'
  /** It ends too. */
  | 'end'
  /** It stays, and belongs to its other owners, or to the tenant. */
  | 'release';

/** How the holdings of a root end. */
export interface RootEnding {
  readonly signOn: SignOnEnding;
  /** Only these kinds end (default: all). */
  readonly kinds?: readonly HoldingKind[] | undefined;
  /** For the audit log. */
  readonly why: string;
  /** Tokens that the caller has ended in the same transaction. */
  readonly tokenIds?: readonly string[];
}

/**
 * Ends all that descends from a root, in the transaction that ends the root and has locked the tenant. Returns a function to call after the commit:
 * it resolves when no transaction that relied on a token that has ended can commit.
 */
export type EndHoldings = (
  tx: Queries,
  tenantId: TenantId,
  root: HoldingRoot,
  how: RootEnding,
) => Promise<() => Promise<void>>;

interface Found {
  readonly record: HoldingRecord;
  /** All of its owners that were looked for, each with the record. */
  readonly owners: readonly HoldingRecord[];
  readonly active: ActiveHolding;
  readonly rule: HoldingRule;
}

/** Follows authority from its root to every holding that descends from it. */
export class Holdings {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #rules: readonly HoldingRule[];

  /** `rules` has one rule of each kind, in the order in which their rows are locked. */
  constructor(parts: { database: Database; clock: Clock; rules: readonly HoldingRule[] }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#rules = parts.rules;
  }

  /** Lists what would end with a root, by kind and id, and what of it the caller could adopt. */
  async list(tenantId: TenantId, root: HoldingRoot, caller?: Caller): Promise<Holding[]> {
    const { read } = this.#database;
    const found = await this.#findActive(read, tenantId, root, this.#clock.now());
    return this.#toHoldings(found, { tenantId, caller });
  }

  /** Lists what has an owner in a tenant, by kind and id: up to `limit` after this key. */
  async listAll(
    tenantId: TenantId,
    { after, limit, caller }: { after: HoldingKey | undefined; limit: number; caller: Caller },
  ): Promise<Holding[]> {
    const { read } = this.#database;
    const holdings: Holding[] = [];
    let from = after;
    do {
      const records = await holdingStore.listAfter(read, tenantId, { after: from, limit: ROWS_AT_ONCE });
      const found = await this.#active(read, tenantId, records, this.#clock.now());
      holdings.push(...(await this.#toHoldings(found, { tenantId, caller })));
      from = records.length < ROWS_AT_ONCE ? undefined : records.at(-1);
    } while (from !== undefined && holdings.length < limit);
    return holdings.slice(0, limit);
  }

  /** Implements `EndHoldings`. @throws ServiceError `invalid_state_transition` for `signOn: 'refuse'` */
  readonly end: EndHoldings = async (tx, tenantId, root, { tokenIds = [], ...how }) => {
    let ended = [...tokenIds, ...(await this.#endActive(tx, tenantId, root, how))];
    return async () => {
      // A transaction that still relied on one of them may have created something meanwhile.
      const later = { ...how, signOn: how.signOn === 'refuse' ? 'end' : how.signOn } as const;
      const endLater = () =>
        this.#database.transaction((after) => this.#endActive(after, tenantId, root, later));
      while (ended.length > 0) {
        const waited = awaitEndOfTokens(this.#database, { tenantId, tokenIds: ended });
        // One that outlasts the wait creates nothing any more, unless it has done so before: see `confirmCredential`.
        await waited.catch(endLater);
        await waited;
        ended = await endLater();
      }
    };
  };

  /**
   * Ends what the present owners can still open holdings with, so that the caller can adopt them, with an audit entry of each
   * client that this closes. Returns a function to call after the commit: it resolves when no transaction that relied on a token that has ended can commit.
   * @throws ServiceError as `adopt`
   */
  async secure(
    tx: Queries,
    keys: readonly HoldingKey[],
    request: AdmittedRequest,
  ): Promise<() => Promise<void>> {
    const { found, tokenIds } = await this.#secure(tx, keys, request);
    for (const { record, active } of found) {
      if (record.kind !== 'oauth_client') continue;
      const entry = {
        tenantId: request.tenantId,
        action: 'holding.secure',
        resource: { type: record.kind, id: record.id },
        detail: `"${active.name}" prepared for adoption: earlier secrets, access tokens and grants ended`,
        fields: { from: record.ownerId, via_client_id: record.viaClientId },
      };
      await auditStore.appendFor(tx, request, entry, this.#clock.now());
    }
    return () => awaitEndOfTokens(this.#database, { tenantId: request.tenantId, tokenIds });
  }

  /**
   * Makes the caller the only owner of holdings that are secured, each with its audit entry. Those that belong to the tenant
   * stay with it.
   * @throws ServiceError `not_found` if one does not exist or has ended, `invalid_field` for a kind that cannot be adopted,
   * or if the caller descends from one, `scope_escalation` if the caller lacks a scope that one acts with,
   * `invalid_state_transition` for a client whose secret the caller has not replaced
   */
  async adopt(tx: Queries, keys: readonly HoldingKey[], request: AdmittedRequest): Promise<Holding[]> {
    const { tenantId } = request;
    const { found } = await this.#secure(tx, keys, request);
    const nowMs = this.#clock.now();
    for (const { record, owners: former, rule } of found) {
      const { kind, id } = record;
      if (kind === 'oauth_client') await holdingStore.keepForOwners(tx, tenantId, { clientId: id, former });
      await holdingStore.own(tx, request, { rule, id, nowMs });
    }
    for (const { record, owners, active } of found) {
      const { kind, id, ownerId, viaClientId } = record;
      const from = [...new Set(owners.map((one) => one.ownerId))];
      const entry = {
        tenantId,
        action: 'holding.adopt',
        resource: { type: kind, id },
        detail: `"${active.name}" adopted from ${from.join(', ')}`,
        fields: { from: ownerId, via_client_id: viaClientId },
      };
      await auditStore.appendFor(tx, request, entry, nowMs);
    }
    const adopted = byKey(await holdingStore.listByKeys(tx, tenantId, keys));
    return found.map(({ record, active, rule }) => {
      const owners = adopted.get(keyOf(record)) ?? [];
      const { atEnd } = rule;
      return toHolding(owners[0] ?? record, { owners, atEnd, name: active.name, canBeAdopted: true });
    });
  }

  async #toHoldings(
    found: readonly Found[],
    { tenantId, caller }: { tenantId: TenantId; caller: Caller | undefined },
  ): Promise<Holding[]> {
    const { read } = this.#database;
    // The root is only one of them.
    const all = await holdingStore.listByKeys(
      read,
      tenantId,
      found.map(({ record }) => record),
    );
    const ownersOf = byKey(all);
    const holdings: Holding[] = [];
    for (const { record, active, rule } of found) {
      const owners = ownersOf.get(keyOf(record)) ?? [];
      let canBeAdopted = rule.adoptionScope !== null;
      if (canBeAdopted && rule.secure) {
        canBeAdopted = caller !== undefined && (await isKeptBy(read, { tenantId, caller }, owners));
      }
      holdings.push(toHolding(record, { owners, atEnd: rule.atEnd, name: active.name, canBeAdopted }));
    }
    return holdings.sort(compareKeys);
  }

  async #secure(tx: Queries, keys: readonly HoldingKey[], request: AdmittedRequest) {
    const { tenantId, caller } = request;
    await lockTenant(tx, tenantId);
    const nowMs = this.#clock.now();
    const records = await holdingStore.listByKeys(tx, tenantId, keys);
    const found = await this.#active(tx, tenantId, records, nowMs);
    const present = new Set(found.map(({ record }) => keyOf(record)));
    const missing = keys.find((key) => !present.has(keyOf(key)));
    if (missing) throw notFound(`holding ${missing.kind} ${missing.id}`);
    let tokenIds: string[] = [];
    for (const one of found) {
      const { record, rule } = one;
      requireAuthority(caller, one);
      if (record.kind === 'oauth_client') await refuseDescendant(tx, record, request);
      const isSoleKeeper = await isKeptBy(tx, request, one.owners);
      const ended = await rule.secure?.(tx, tenantId, { id: record.id, isSoleKeeper, nowMs });
      tokenIds = tokenIds.concat(ended ?? []);
    }
    return { found, tokenIds };
  }

  async #endActive(
    tx: Queries,
    tenantId: TenantId,
    root: HoldingRoot,
    { signOn, why, kinds }: Omit<RootEnding, 'tokenIds'>,
  ): Promise<string[]> {
    await lockTenant(tx, tenantId);
    if (signOn === 'refuse') await refuseOwnerOfSignOn(tx, tenantId, root);
    const nowMs = this.#clock.now();
    const all = await this.#findActive(tx, tenantId, root, nowMs - MAX_CLOCK_DIFFERENCE_MS);
    const found = kinds ? all.filter(({ record }) => kinds.includes(record.kind)) : all;
    const providers = found.filter(({ record }) => record.kind === 'sign_on');
    if (signOn === 'refuse' && providers.length > 0) throw ownsSignOn();
    const ending = { why, nowMs };
    const released: Found[] = [];
    if (signOn === 'release') {
      for (const one of providers) {
        const hasOthers = await holdingStore.removeOwners(tx, tenantId, one.record, one.owners);
        if (!hasOthers) released.push(one);
      }
    }
    let tokenIds: string[] = [];
    for (const rule of this.#rules) {
      if (rule.kind === 'sign_on' && signOn === 'release') continue;
      const ids = found.filter(({ record }) => record.kind === rule.kind).map(({ record }) => record.id);
      if (ids.length === 0) continue;
      tokenIds = tokenIds.concat(await rule.endAll(tx, tenantId, { ...ending, ids: ids.sort() }));
      // The owners of tokens and clients are still needed, by transactions that rely on them.
      if (rule.kind === 'token' || rule.kind === 'oauth_client') continue;
      await holdingStore.release(tx, tenantId, { kind: rule.kind, id: ids });
    }
    // Last, because it locks the end of the feed.
    for (const { rule } of released) await rule.reportReleased?.(tx, tenantId, ending.nowMs);
    return tokenIds;
  }

  /** Follows clients that have ended too: what one has set up may still act on the authority of its owner. */
  async #findActive(
    queries: ReadQueries,
    tenantId: TenantId,
    root: HoldingRoot,
    atMs: number,
  ): Promise<Found[]> {
    const own = await holdingStore.listOfRoot(queries, tenantId, root);
    const below = await holdingStore.listBelow(queries, tenantId, holdingStore.clientsAmong(own));
    return this.#active(queries, tenantId, own.concat(below), atMs);
  }

  async #active(
    queries: ReadQueries,
    tenantId: TenantId,
    records: readonly HoldingRecord[],
    atMs: number,
  ): Promise<Found[]> {
    const found: Found[] = [];
    const ownersOf = byKey(records);
    for (const rule of this.#rules) {
      const { kind } = rule;
      const ids = new Set(records.filter((record) => record.kind === kind).map(({ id }) => id));
      if (ids.size === 0) continue;
      for (const active of await rule.listActive(queries, tenantId, { ids: [...ids], atMs })) {
        const owners = ownersOf.get(keyOf({ kind, id: active.id })) ?? [];
        const [record] = owners;
        if (record) found.push({ record, owners, active, rule });
      }
    }
    return found;
  }
}

/** Groups the owners of holdings, in their order. */
function byKey(records: readonly HoldingRecord[]): Map<string, HoldingRecord[]> {
  const groups = new Map<string, HoldingRecord[]>();
  for (const record of records) {
    const group = groups.get(keyOf(record));
    if (group) group.push(record);
    else groups.set(keyOf(record), [record]);
  }
  return groups;
}

/** Whether the caller is the first owner of a holding, and no other one has become an owner since. */
async function isKeptBy(
  queries: ReadQueries,
  { tenantId, caller }: Pick<AdmittedRequest, 'tenantId' | 'caller'>,
  owners: readonly HoldingRecord[],
): Promise<boolean> {
  const [first] = owners;
  const [asking, ...more] = await holdingStore.ownersOf(queries, { tenantId, caller });
  if (!first || !asking || more.length > 0) return false;
  const isLatest = owners.every((one) => one === first || one.ownedSinceMs < first.ownedSinceMs);
  return isLatest && isSameOwner(asking, first);
}

/** @throws ServiceError `invalid_field` */
async function refuseDescendant(
  tx: Queries,
  { kind, id }: HoldingKey,
  { tenantId, caller }: AdmittedRequest,
): Promise<void> {
  const owner = ownerOf(caller);
  // Otherwise the client would end with no one.
  if (owner && (await holdingStore.descendsFrom(tx, tenantId, owner, { kind, id }))) {
    throw new ServiceError(
      'invalid_field',
      `items: ${kind} ${id} cannot be adopted with a credential that it has set up`,
    );
  }
}

function requireAuthority({ scopes: held }: Caller, { record, active, rule }: Found): void {
  if (rule.adoptionScope === null) {
    throw new ServiceError(
      'invalid_field',
      `items: a holding of kind ${record.kind} cannot be adopted, because its owner has its secret. Create another one`,
    );
  }
  const missing = [rule.adoptionScope, ...(active.scopes ?? [])].filter((scope) => !held.includes(scope));
  if (missing.length === 0) return;
  throw new ServiceError(
    'scope_escalation',
    `${record.kind} ${record.id} needs scopes that the caller does not hold: ${[...new Set(missing)].join(', ')}`,
  );
}

/** Before all that the person owns is looked for, because a refusal can be asked for again and again. */
async function refuseOwnerOfSignOn(tx: Queries, tenantId: TenantId, { ownerId }: HoldingRoot): Promise<void> {
  const owners = await holdingStore.listByKeys(tx, tenantId, [{ kind: 'sign_on', id: tenantId }]);
  if (owners.some((owner) => owner.ownerId === ownerId)) throw ownsSignOn();
}

function ownsSignOn(): ServiceError {
  return new ServiceError(
    'invalid_state_transition',
    'This would end the single sign-on of the tenant: first save its settings with PUT /sign-on and adopt it with POST /holdings/adopt, or delete it. DELETE /members/{id}?sign_on=delete removes a member and deletes it',
  );
}
