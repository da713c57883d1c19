import type { Database } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import * as deviceStore from './device-store.ts';

const FRESH_MS = 60_000;
const MAX_TENANTS = 10_000;

type Count = { active: Promise<number>; atMs: number };

/** Counts the active devices of tenants, for limits that follow it: each tenant once a minute. */
export class DeviceCounts {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #counts = new Map<TenantId, Count>();

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Returns the number at most a minute ago. @throws ServiceError `unavailable` */
  active(tenantId: TenantId): Promise<number> {
    const nowMs = this.#clock.now();
    const known = this.#counts.get(tenantId);
    if (known !== undefined && Math.abs(nowMs - known.atMs) < FRESH_MS) return known.active;
    const active = deviceStore.countActive(this.#database.read, tenantId);
    // The next request asks again.
    active.catch(() => this.#counts.delete(tenantId));
    this.#counts.delete(tenantId);
    this.#counts.set(tenantId, { active, atMs: nowMs });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MAX_TENANTS && oldest !== undefined) this.#counts.delete(oldest);
    return active;
  }
}
