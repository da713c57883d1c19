import { expect, test } from 'vitest';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { Candidate } from './claim-store.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { LIMITS } from './webhook-queue.ts';
import { WebhookQueues } from './webhook-queues.ts';

const SUCCESS = { isSuccess: true, durationMs: 3, retryAtMs: undefined };
const SLOW = { isSuccess: true, durationMs: 2_000, retryAtMs: undefined };
const HUNG = { isSuccess: false, durationMs: 10_000, retryAtMs: undefined };

const BODY = Buffer.from('{}');

/** A store that never runs dry, in front of the queues. */
class Bench {
  readonly lanes = new WebhookQueues();
  lastStatus: ClaimedDelivery['lastStatus'] = null;
  /** The last ones. */
  candidates: readonly Candidate[] = [];
  readonly #keys: { tenantId: TenantId; webhookId: string }[] = [];
  #made = 0;

  add(tenant: string, webhook: string): void {
    const key = { tenantId: tenant as TenantId, webhookId: webhook };
    this.#keys.push(key);
    this.lanes.markDue(key);
  }

  /** A webhook whose last delivery succeeded, according to the store. */
  addKnown(tenant: string, webhook: string): void {
    const key = { tenantId: tenant as TenantId, webhookId: webhook };
    this.#keys.push(key);
    this.lanes.markDue(key, 'delivered');
  }

  /** Claims up to the capacity, and starts everything that may start. */
  begin(atMs = 0): ClaimedDelivery[] {
    for (const key of this.#keys) this.lanes.markDue(key);
    const candidates = this.lanes.chooseCandidates(atMs);
    this.candidates = candidates;
    const claimed = candidates.flatMap(({ tenantId, webhookId, limit }) =>
      Array.from({ length: limit }, () => this.#delivery(tenantId, webhookId)),
    );
    this.lanes.addClaimed(candidates, claimed);
    const begun: ClaimedDelivery[] = [];
    for (let next = this.lanes.next(atMs); next; next = this.lanes.next(atMs)) begun.push(next);
    return begun;
  }

  /**
   * Lets everything that was started succeed at once, until each webhook is known to be prompt and runs at its
   * limit.
   */
  prove(): void {
    for (let round = 0; round < 6; round += 1) {
      for (const delivery of this.begin()) this.lanes.complete(delivery, SUCCESS);
    }
  }

  #delivery(tenantId: TenantId, webhookId: string): ClaimedDelivery {
    this.#made += 1;
    return {
      tenantId,
      webhookId,
      deliveryId: `dlv_${this.#made}`,
      eventId: 'evt_1',
      isTest: false,
      body: BODY,
      claims: 1,
      attempts: 0,
      replayedSinceMs: null,
      isCircuitOpen: false,
      leaseEndsAtMs: 30_000,
      url: 'https://example.com/',
      signing: undefined,
      lastStatus: this.lastStatus,
    };
  }
}

function countBy(deliveries: ClaimedDelivery[], of: 'tenantId' | 'webhookId'): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const delivery of deliveries) counts[delivery[of]] = (counts[delivery[of]] ?? 0) + 1;
  return counts;
}

test('an unproven receiver gets one delivery at a time, a prompt one up to eight', () => {
  const bench = new Bench();
  bench.add('a', 'w');
  const sizes: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const begun = bench.begin();
    sizes.push(begun.length);
    for (const delivery of begun) bench.lanes.complete(delivery, SUCCESS);
  }
  expect(sizes[0]).toBe(1);
  expect(Math.max(...sizes)).toBe(LIMITS.perWebhook);
});

test('the limits hold per webhook, per tenant and in total', () => {
  const bench = new Bench();
  for (const tenant of ['a', 'b', 'c', 'd', 'e']) {
    for (let webhook = 0; webhook < 12; webhook += 1) bench.add(tenant, `${tenant}${webhook}`);
  }
  bench.prove();
  const begun = bench.begin();
  expect(begun).toHaveLength(LIMITS.prompt.inAll);
  expect(Math.max(...Object.values(countBy(begun, 'tenantId')))).toBeLessThanOrEqual(LIMITS.prompt.perTenant);
  expect(Math.max(...Object.values(countBy(begun, 'webhookId')))).toBeLessThanOrEqual(LIMITS.perWebhook);
});

test('a tenant alone does not exceed the limit per tenant', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 20; webhook += 1) bench.add('a', `w${webhook}`);
  bench.prove();
  expect(bench.begin()).toHaveLength(LIMITS.prompt.perTenant);
});

test('claims stay within the limit, and capacity is shared among many webhooks', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 100; webhook += 1) bench.add(`t${webhook % 10}`, `w${webhook}`);
  bench.prove();
  bench.begin();
  const claimed = [...bench.lanes.takeUnused(Number.POSITIVE_INFINITY)];
  expect(claimed.length + bench.lanes.underWay).toBeLessThanOrEqual(LIMITS.claimed);
  const counts = Object.values(countBy(claimed, 'webhookId'));
  expect(counts).toHaveLength(100);
  expect(Math.max(...counts)).toBeLessThanOrEqual(LIMITS.claimed / 100);
});

test('with many busy webhooks, a claim fetches at least half of the share of each', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 100; webhook += 1) bench.addKnown('a', `w${webhook}`);
  bench.prove();
  const share = Math.floor(LIMITS.claimed / 100);
  for (let round = 0; round < 20; round += 1) {
    for (const delivery of bench.begin()) bench.lanes.complete(delivery, SUCCESS);
    for (const { limit } of bench.candidates) expect(limit).toBeGreaterThanOrEqual(share / 2);
  }
});

test('hanging receivers use no capacity of the prompt ones of their tenant', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 10; webhook += 1) bench.add('a', `prompt${webhook}`);
  bench.prove();
  for (let webhook = 0; webhook < 90; webhook += 1) bench.add('a', `hanging${webhook}`);
  const begun = bench.begin();
  const hanging = begun.filter(({ webhookId }) => webhookId.startsWith('hanging'));
  expect(hanging).toHaveLength(LIMITS.doubtful.perTenant);
  expect(begun.length - hanging.length).toBe(LIMITS.prompt.perTenant);
  bench.lanes.markSlow(1_000);
});

test('hanging receivers never exceed the limit of their tenant', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 100; webhook += 1) bench.add('a', `hanging${webhook}`);
  expect(bench.begin(0)).toHaveLength(LIMITS.doubtful.perTenant);
  bench.lanes.markSlow(1_000);
  expect(bench.begin(1_000)).toEqual([]);
});

test('tenants whose receivers all hang leave capacity for a new receiver of another tenant', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 700; webhook += 1) bench.add(`t${webhook % 7}`, `hanging${webhook}`);
  bench.begin(0);
  bench.lanes.markSlow(1_000);
  bench.begin(1_000);
  bench.add('good', 'new');
  expect(bench.begin(2_000).map(({ webhookId }) => webhookId)).toEqual(['new']);
});

test('any number of hanging receivers leave a prompt one its share of the claims', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 2000; webhook += 1) bench.add(`t${webhook % 20}`, `hanging${webhook}`);
  bench.begin(0);
  bench.lanes.markSlow(1_000);
  bench.begin(1_000);
  bench.addKnown('good', 'prompt');
  expect(bench.begin(2_000).map(({ webhookId }) => webhookId)).toContain('prompt');
});

test('prompt receivers that all begin to hang leave capacity to other tenants after a second', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 400; webhook += 1) bench.addKnown(`t${webhook % 4}`, `w${webhook}`);
  expect(bench.begin(0)).toHaveLength(LIMITS.prompt.inAll);
  bench.lanes.markSlow(1_000);
  bench.addKnown('good', 'prompt');
  expect(bench.begin(1_000).map(({ webhookId }) => webhookId)).toContain('prompt');
});

test('deliveries that wait for a receiver that becomes slow are released', () => {
  const bench = new Bench();
  bench.add('a', 'w');
  bench.prove();
  bench.begin(0);
  expect(bench.lanes.takeUnused(0)).toEqual([]);
  bench.lanes.markSlow(1_000);
  expect(bench.lanes.takeUnused(0).length).toBeGreaterThan(0);
  expect(bench.lanes.takeUnused(0)).toEqual([]);
});

test('a receiver is known after a success of any process', () => {
  const bench = new Bench();
  bench.lastStatus = 'delivered';
  for (let webhook = 0; webhook < 20; webhook += 1) bench.add('a', `w${webhook}`);
  bench.begin(0);
  bench.lastStatus = null;
  for (let webhook = 0; webhook < 70; webhook += 1) bench.add('a', `new${webhook}`);
  // They have not responded yet, but use nothing of the capacity for unproven receivers.
  expect(bench.begin(0)).toHaveLength(LIMITS.doubtful.perTenant);
});

test('a receiver is slow after a pending second, and prompt again after a prompt response', () => {
  const bench = new Bench();
  bench.add('a', 'w');
  bench.prove();
  const begun = bench.begin(0);
  expect(begun).toHaveLength(LIMITS.perWebhook);
  bench.lanes.markSlow(999);
  expect(bench.lanes.takeUnused(0)).toEqual([]);
  bench.lanes.markSlow(1_000);
  expect(bench.lanes.takeUnused(0)).not.toEqual([]);
  for (const delivery of begun) bench.lanes.complete(delivery, SUCCESS);
  bench.begin(2_000);
  bench.lanes.markSlow(2_500);
  expect(bench.lanes.takeUnused(0)).toEqual([]);
});

test('a slow receiver whose deliveries succeed gets up to eight at once', () => {
  const bench = new Bench();
  bench.add('a', 'slow');
  const sizes: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const begun = bench.begin();
    sizes.push(begun.length);
    bench.lanes.markSlow(1_000);
    for (const delivery of begun) bench.lanes.complete(delivery, SLOW);
  }
  expect(sizes).toEqual([1, 2, 8, 8, 8]);
});

test('slow receivers of other tenants keep their share of the capacity', () => {
  const bench = new Bench();
  for (const tenant of ['a', 'b', 'c', 'd']) {
    for (let webhook = 0; webhook < 100; webhook += 1) bench.add(tenant, `${tenant}${webhook}`);
  }
  let counts: Record<string, number> = {};
  for (let round = 0; round < 12; round += 1) {
    const begun = bench.begin();
    counts = countBy(begun, 'tenantId');
    bench.lanes.markSlow(1_000);
    for (const delivery of begun) bench.lanes.complete(delivery, SLOW);
  }
  const share = LIMITS.doubtful.perTenant;
  expect(counts).toEqual({ a: share, b: share, c: share, d: share });
});

test('webhooks take turns: one with a long queue does not get two turns in a row', () => {
  const bench = new Bench();
  for (const webhook of ['x', 'y', 'z']) bench.add('a', webhook);
  bench.prove();
  const order = bench.begin().map(({ webhookId }) => webhookId);
  expect(new Set(order.slice(0, 3)).size).toBe(3);
  expect(new Set(order.slice(3, 6)).size).toBe(3);
});

test('quick failures reduce parallelism, hanging reduces it to one at a time', () => {
  const bench = new Bench();
  bench.add('a', 'w');
  bench.prove();
  const [first, ...rest] = bench.begin();
  if (first) bench.lanes.complete(first, { isSuccess: false, durationMs: 5, retryAtMs: undefined });
  for (const delivery of rest) bench.lanes.complete(delivery, HUNG);
  bench.lanes.takeUnused(Number.POSITIVE_INFINITY);
  expect(bench.begin()).toHaveLength(1);
});

test('a retry makes its webhook a candidate when it is due, and not before', () => {
  const bench = new Bench();
  bench.add('a', 'w');
  const [delivery] = bench.begin();
  if (!delivery) throw new Error('nothing was begun');
  bench.lanes.takeUnused(Number.POSITIVE_INFINITY);
  bench.lanes.chooseCandidates(0);
  bench.lanes.complete(delivery, { isSuccess: false, durationMs: 5, retryAtMs: 1_050 });
  bench.lanes.chooseCandidates(0);
  expect(bench.lanes.nextRetryAtMs()).toBe(1_050);
  expect(bench.lanes.chooseCandidates(1_049)).toEqual([]);
  expect(bench.lanes.chooseCandidates(1_050)).toHaveLength(1);
  expect(bench.lanes.nextRetryAtMs()).toBe(Number.POSITIVE_INFINITY);
});

test('a retry that is due while its receiver hangs causes no wake-up before that ends', () => {
  const bench = new Bench();
  bench.add('a', 'w');
  bench.prove();
  const [first, ...hanging] = bench.begin();
  if (first) bench.lanes.complete(first, { isSuccess: false, durationMs: 10_000, retryAtMs: 5 });
  expect(hanging.length).toBeGreaterThan(1);
  expect(bench.lanes.nextRetryAtMs()).toBe(Number.POSITIVE_INFINITY);
  bench.lanes.takeUnused(Number.POSITIVE_INFINITY);
  for (const delivery of hanging) bench.lanes.complete(delivery, HUNG);
  expect(bench.lanes.nextRetryAtMs()).toBe(5);
});

test('waiting deliveries that would outlive their lease are dropped, running ones are not', () => {
  const bench = new Bench();
  bench.addKnown('a', 'w');
  bench.begin();
  expect(bench.lanes.takeUnused(30_000)).toEqual([]);
  expect(bench.lanes.takeUnused(30_001).length).toBeGreaterThan(0);
  expect(bench.lanes.underWay).toBe(1);
});
