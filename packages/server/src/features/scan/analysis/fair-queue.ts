import type { TenantId } from '../../../platform/tenant-id.ts';

export interface Waiter {
  readonly tenantId: TenantId;
  readonly bytes: number;
}

/** How much may wait at once. */
export interface QueueLimits {
  readonly waiters: number;
  readonly bytes: number;
}

/**
 * Work that waits for its turn, bounded in number and bytes. Tenants take turns, and when the line is full, the tenant that
 * has most in it gives way to one that has less: nobody can keep the others out.
 */
export class FairQueue<W extends Waiter> {
  readonly #limits: QueueLimits;
  /** In the order of their turns. No list is empty. */
  readonly #byTenant = new Map<TenantId, W[]>();
  #waiters = 0;
  #bytes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Lets work wait. Gives what has to give way for it: itself, when its own tenant has most of the line. */
  add(waiter: W): W[] {
    const own = this.#byTenant.get(waiter.tenantId);
    if (own) own.push(waiter);
    else this.#byTenant.set(waiter.tenantId, [waiter]);
    this.#count(waiter, 1);
    const gone: W[] = [];
    while (this.#isTooFull()) gone.push(this.#dropOne());
    return gone;
  }

  /** Takes out what is next: the oldest of the tenant whose turn it is. */
  next(): W | undefined {
    const [turn] = this.#byTenant;
    if (!turn) return undefined;
    const [tenantId, waiters] = turn;
    const waiter = waiters.shift() as W;
    this.#byTenant.delete(tenantId);
    if (waiters.length > 0) this.#byTenant.set(tenantId, waiters);
    this.#count(waiter, -1);
    return waiter;
  }

  /** Takes out what waits no longer. Nothing happens when it has left. */
  remove(waiter: W): void {
    const waiters = this.#byTenant.get(waiter.tenantId);
    const at = waiters?.indexOf(waiter) ?? -1;
    if (!waiters || at === -1) return;
    waiters.splice(at, 1);
    if (waiters.length === 0) this.#byTenant.delete(waiter.tenantId);
    this.#count(waiter, -1);
  }

  #isTooFull(): boolean {
    // One always fits, however large: the limit of bodies is the bound on it.
    return this.#waiters > this.#limits.waiters || (this.#bytes > this.#limits.bytes && this.#waiters > 1);
  }

  /** The newest of the tenant that has most waits least. */
  #dropOne(): W {
    const [first, ...others] = this.#byTenant.values();
    const longest = others.reduce((one, other) => (loadOf(other) > loadOf(one) ? other : one), first as W[]);
    const waiter = longest.at(-1) as W;
    this.remove(waiter);
    return waiter;
  }

  #count({ bytes }: W, by: 1 | -1): void {
    this.#waiters += by;
    this.#bytes += by * bytes;
  }
}

/** Bytes count most, and each waiter as if it had some: a thousand small ones keep others waiting as well. */
function loadOf(waiters: readonly Waiter[]): number {
  return waiters.reduce((sum, { bytes }) => sum + bytes + 65_536, 0);
}
