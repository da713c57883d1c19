import { expect, test } from 'vitest';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { LIMITS } from './webhook-queue.ts';
import { WebhookQueues } from './webhook-queues.ts';

const SUCCESS = { isSuccess: true, durationMs: 3, retryAtMs: undefined };
const HUNG = { isSuccess: false, durationMs: 10_000, retryAtMs: undefined };

/** A store that never runs dry, in front of the lanes. */
class Bench {
  readonly lanes = new WebhookQueues();
  lastStatus: ClaimedDelivery['lastStatus'] = null;
  readonly #keys: { tenantId: TenantId; webhookId: string }[] = [];
  #made = 0;

  add(tenant: string, webhook: string): void {
    const key = { tenantId: tenant as TenantId, webhookId: webhook };
    this.#keys.push(key);
    this.lanes.markDue(key);
  }

  /** A webhook whose last delivery has succeeded, as the store tells. */
  addKnown(tenant: string, webhook: string): void {
    const key = { tenantId: tenant as TenantId, webhookId: webhook };
    this.#keys.push(key);
    this.lanes.markDue(key, 'delivered');
  }

  /** Claims all there is room for, and begins all that may begin. */
  begin(atMs = 0): ClaimedDelivery[] {
    for (const key of this.#keys) this.lanes.markDue(key);
    const candidates = this.lanes.chooseCandidates(atMs);
    const claimed = candidates.flatMap(({ tenantId, webhookId, limit }) =>
      Array.from({ length: limit }, () => this.#delivery(tenantId, webhookId)),
    );
    this.lanes.addClaimed(candidates, claimed);
    const begun: ClaimedDelivery[] = [];
    for (let next = this.lanes.next(atMs); next; next = this.lanes.next(atMs)) begun.push(next);
    return begun;
  }

  /** Lets everything that was begun succeed at once, until each webhook is known to be prompt and runs at its bound. */
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
      body: '{}',
      claims: 1,
      attempts: 0,
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

test('a receiver that nobody knows yet gets one delivery at a time, a prompt one up to eight', () => {
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

test('no tenant has more than 16 under way, and all together no more than 64', () => {
  const bench = new Bench();
  for (const tenant of ['a', 'b', 'c', 'd', 'e']) {
    for (let webhook = 0; webhook < 5; webhook += 1) bench.add(tenant, `${tenant}${webhook}`);
  }
  bench.prove();
  const begun = bench.begin();
  expect(begun).toHaveLength(LIMITS.inAll.total);
  expect(Math.max(...Object.values(countBy(begun, 'tenantId')))).toBeLessThanOrEqual(LIMITS.perTenant.total);
  expect(Math.max(...Object.values(countBy(begun, 'webhookId')))).toBeLessThanOrEqual(LIMITS.perWebhook);
});

test('a tenant that is alone has no more than its 16 under way either', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 5; webhook += 1) bench.add('a', `w${webhook}`);
  bench.prove();
  expect(bench.begin()).toHaveLength(LIMITS.perTenant.total);
});

test('no more is claimed than the bound, and the room is shared among many webhooks', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 40; webhook += 1) bench.add(`t${webhook % 10}`, `w${webhook}`);
  bench.prove();
  const candidates = bench.lanes.chooseCandidates(0);
  expect(candidates.reduce((sum, { limit }) => sum + limit, 0)).toBeLessThanOrEqual(LIMITS.claimed);
  bench.begin();
  expect(
    bench.lanes.takeExpiring(Number.POSITIVE_INFINITY).length + bench.lanes.underWay,
  ).toBeLessThanOrEqual(LIMITS.claimed);
});

test("receivers that hang leave room for a tenant's prompt ones, from the first moment on", () => {
  const bench = new Bench();
  bench.add('a', 'prompt');
  bench.prove();
  for (let webhook = 0; webhook < 30; webhook += 1) bench.add('a', `hanging${webhook}`);
  const begun = bench.begin();
  const hanging = begun.filter(({ webhookId }) => webhookId !== 'prompt');
  expect(hanging.length).toBeLessThanOrEqual(LIMITS.perTenant.unproven);
  expect(bench.lanes.underWay).toBe(LIMITS.perTenant.total);

  for (const delivery of begun) if (delivery.webhookId === 'prompt') bench.lanes.complete(delivery, SUCCESS);
  bench.lanes.markSlow(1_000);
  for (const delivery of hanging) bench.lanes.complete(delivery, HUNG);
  // By now each of them has hung once, and together they have the room of the slow.
  for (let round = 0; round < 5; round += 1) {
    for (const delivery of bench.begin())
      bench.lanes.complete(delivery, delivery.webhookId === 'prompt' ? SUCCESS : HUNG);
  }
  const { prompt, ...others } = countBy(bench.begin(), 'webhookId');
  expect(prompt).toBe(LIMITS.perWebhook);
  expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(
    LIMITS.perTenant.slow,
  );
});

test('those that hang never have more of a tenant than the unproven may, however long they are awaited', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 40; webhook += 1) bench.add('a', `hanging${webhook}`);
  expect(bench.begin(0)).toHaveLength(LIMITS.perTenant.unproven);
  bench.lanes.markSlow(1_000);
  expect(bench.begin(1_000)).toEqual([]);
});

test('however many receivers hang, what waits for them leaves a prompt one its share of what is claimed', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 2000; webhook += 1) bench.add(`t${webhook % 20}`, `hanging${webhook}`);
  bench.begin(0);
  bench.lanes.markSlow(1_000);
  bench.begin(1_000);
  bench.addKnown('good', 'prompt');
  expect(bench.begin(2_000).map(({ webhookId }) => webhookId)).toContain('prompt');
});

test('receivers that were prompt and all begin to hang leave room for those of other tenants', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 400; webhook += 1) bench.addKnown(`t${webhook % 4}`, `w${webhook}`);
  const hanging = bench.begin(0);
  expect(hanging).toHaveLength(LIMITS.inAll.total);
  bench.lanes.markSlow(1_000);
  for (const delivery of hanging) bench.lanes.complete(delivery, HUNG);
  bench.begin(10_000);
  bench.lanes.markSlow(11_000);
  bench.addKnown('good', 'prompt');
  // All hang anew; of those that have ended since, no more come back than leaves room.
  expect(bench.lanes.underWay).toBeLessThan(LIMITS.inAll.total);
  expect(bench.begin(11_000).map(({ webhookId }) => webhookId)).toContain('prompt');
});

test('a receiver whose last delivery has succeeded, whoever made it, is known', () => {
  const bench = new Bench();
  bench.lastStatus = 'delivered';
  for (let webhook = 0; webhook < 40; webhook += 1) bench.add('a', `w${webhook}`);
  expect(bench.begin(0)).toHaveLength(LIMITS.perTenant.total);
});

test('a receiver is slow as soon as it is awaited for a second, and prompt again after a prompt answer', () => {
  const bench = new Bench();
  for (let webhook = 0; webhook < 6; webhook += 1) bench.add('a', `w${webhook}`);
  bench.prove();
  const begun = bench.begin(0);
  bench.lanes.markSlow(999);
  for (const delivery of begun) bench.lanes.complete(delivery, SUCCESS);
  expect(bench.begin(0)).toHaveLength(LIMITS.perTenant.total);
  bench.lanes.markSlow(1_000);
  // All are awaited: none may begin more than the slow together may have.
  expect(bench.begin(1_000)).toHaveLength(0);
});

test('webhooks take turns: one with a long queue does not come twice before another has come', () => {
  const bench = new Bench();
  for (const webhook of ['x', 'y', 'z']) bench.add('a', webhook);
  bench.prove();
  const order = bench.begin().map(({ webhookId }) => webhookId);
  expect(new Set(order.slice(0, 3)).size).toBe(3);
  expect(new Set(order.slice(3, 6)).size).toBe(3);
});

test('what fails quickly is sent less at once, what hangs one at a time', () => {
  const bench = new Bench();
  bench.add('a', 'w');
  bench.prove();
  const [first, ...rest] = bench.begin();
  if (first) bench.lanes.complete(first, { isSuccess: false, durationMs: 5, retryAtMs: undefined });
  for (const delivery of rest) bench.lanes.complete(delivery, HUNG);
  bench.lanes.takeExpiring(Number.POSITIVE_INFINITY);
  expect(bench.begin()).toHaveLength(1);
});

test('a retry makes its webhook a candidate when it falls due, and not before', () => {
  const bench = new Bench();
  bench.add('a', 'w');
  const [delivery] = bench.begin();
  if (!delivery) throw new Error('nothing was begun');
  bench.lanes.takeExpiring(Number.POSITIVE_INFINITY);
  bench.lanes.chooseCandidates(0);
  bench.lanes.complete(delivery, { isSuccess: false, durationMs: 5, retryAtMs: 1_050 });
  bench.lanes.chooseCandidates(0);
  expect(bench.lanes.nextRetryAtMs()).toBe(1_050);
  expect(bench.lanes.chooseCandidates(1_049)).toEqual([]);
  expect(bench.lanes.chooseCandidates(1_050)).toHaveLength(1);
  expect(bench.lanes.nextRetryAtMs()).toBe(Number.POSITIVE_INFINITY);
});

test('a retry that has fallen due while its receiver still hangs wakes nobody before that is over', () => {
  const bench = new Bench();
  bench.add('a', 'w');
  bench.prove();
  const [first, ...hanging] = bench.begin();
  if (first) bench.lanes.complete(first, { isSuccess: false, durationMs: 10_000, retryAtMs: 5 });
  expect(hanging.length).toBeGreaterThan(1);
  expect(bench.lanes.nextRetryAtMs()).toBe(Number.POSITIVE_INFINITY);
  bench.lanes.takeExpiring(Number.POSITIVE_INFINITY);
  for (const delivery of hanging) bench.lanes.complete(delivery, HUNG);
  expect(bench.lanes.nextRetryAtMs()).toBe(5);
});

test('what waits and would outlive its lease is given up, what is under way is not', () => {
  const bench = new Bench();
  bench.add('a', 'w');
  bench.begin();
  expect(bench.lanes.takeExpiring(30_000)).toEqual([]);
  expect(bench.lanes.takeExpiring(30_001)).toHaveLength(1);
  expect(bench.lanes.underWay).toBe(1);
});
