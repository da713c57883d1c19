import type { Holding, HoldingKind, Scope } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { Caller } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';

/** Identifies something that acts on the authority of its owner. */
export interface HoldingKey {
  readonly kind: HoldingKind;
  readonly id: string;
}

/** On whose authority something acts: an account, a token or an OAuth client. */
export interface Owner {
  readonly ownerId: string;
  /** The OAuth client through which a person acts. Null for a token, and for a client that acts alone. */
  readonly viaClientId: string | null;
}

export interface HoldingRecord extends HoldingKey, Owner {
  readonly ownedSinceMs: number;
}

/**
 * What ends, with all that descends from it: a person (`ownerId`), what a person let a client do (both), a client with all
 * that it did for anyone (`clientId`), or what a token without an owner has made (`ownerId`).
 */
export type HoldingRoot =
  | { readonly ownerId: string; readonly clientId?: string | undefined }
  | { readonly ownerId?: undefined; readonly clientId: string };

/** A holding that still acts. */
export interface ActiveHolding {
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** The scopes that it acts with, if it has any: the one who adopts it needs them. */
  readonly scopes?: readonly Scope[];
}

/** Why and when holdings end. */
interface EndReason {
  /** For the audit log, after the name of the holding: "the client that set it up was deleted". */
  readonly why: string;
  readonly nowMs: number;
}

/** What a feature knows about the holdings that it stores. */
export interface HoldingRule {
  readonly kind: HoldingKind;
  readonly atEnd: Holding['at_end'];
  /** The scope that an adopter needs. Null for what is a secret of its owner: another person creates a new one instead. */
  readonly adoptionScope: Scope | null;
  /** Returns those of these holdings that act at this time. */
  readonly listActive: (
    queries: ReadQueries,
    tenantId: TenantId,
    which: { readonly ids: readonly string[]; readonly atMs: number },
  ) => Promise<ActiveHolding[]>;
  /**
   * Ends holdings, each with an audit entry. One that has ended meanwhile is left as it is. Returns the ids
   * of the tokens that ended.
   */
  readonly endAll: (
    tx: Queries,
    tenantId: TenantId,
    ended: EndReason & { readonly ids: readonly string[] },
  ) => Promise<string[]>;
  /**
   * Ends what the earlier owners can still open the holding with, before it gets another owner. `isSoleKeeper`: the new one
   * has replaced its secret, and no one has changed it since. Returns the ids of the tokens that ended.
   * @throws ServiceError `invalid_state_transition` if they could still open it
   */
  readonly secure?: (
    tx: Queries,
    tenantId: TenantId,
    adopted: { readonly id: string; readonly isSoleKeeper: boolean; readonly nowMs: number },
  ) => Promise<string[]>;
  /** Informs the admins that a holding which stays has no owner any more. */
  readonly reportReleased?: (tx: Queries, tenantId: TenantId, nowMs: number) => Promise<void>;
}

/** Returns whom the holdings of a caller belong to; undefined for an operator, whose belong to the tenant. */
export function ownerOf({ tenantId, tokenId, issued }: Caller): Owner | undefined {
  if (tenantId === null) return undefined;
  if (!issued) return { ownerId: tokenId, viaClientId: null };
  const { accountId, clientId } = issued;
  return accountId === null
    ? { ownerId: clientId, viaClientId: null }
    : { ownerId: accountId, viaClientId: clientId };
}

/** Whether two records name one owner. The console and the command line of the service act for the person alone. */
export function isSameOwner(one: Owner, other: Owner): boolean {
  return one.ownerId === other.ownerId && applicationOf(one) === applicationOf(other);
}

function applicationOf({ viaClientId }: Owner): string | null {
  return viaClientId?.startsWith(`${ID_PREFIXES.oauth_client}_`) ? viaClientId : null;
}

export function keyOf({ kind, id }: HoldingKey): string {
  return `${kind} ${id}`;
}

export function toHolding(
  record: HoldingRecord,
  {
    owners,
    ...shown
  }: {
    /** All of its owners. */
    owners: readonly Owner[];
    atEnd: Holding['at_end'];
    name: string;
    canBeAdopted: boolean;
  },
): Holding {
  const ownerIds = new Set(owners.map(({ ownerId }) => ownerId));
  ownerIds.delete(record.ownerId);
  return {
    kind: record.kind,
    id: record.id,
    name: shown.name,
    owner_id: record.ownerId,
    other_owner_ids: [...ownerIds].sort(),
    via_client_id: record.viaClientId,
    owned_since: toTimestamp(record.ownedSinceMs),
    at_end: shown.atEnd,
    can_be_adopted: shown.canBeAdopted,
  };
}

/** Orders keys of lists. */
export function compareKeys(one: HoldingKey, other: HoldingKey): number {
  const [a, b] = [keyOf(one), keyOf(other)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
