import { randomBytes } from 'node:crypto';
import { createLogger } from '@tps/server/service';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, expect, test } from 'vitest';
import { Secret } from '../../../platform/crypto/secret.ts';
import { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import * as deadLetterReadModel from '../deliveries/dead-letter-read-model.ts';
import * as deliveryStore from '../deliveries/delivery-store.ts';
import { secretBinding, type WebhookRecord } from '../webhook.ts';
import * as webhookStore from '../webhook-store.ts';
import { SecretKeeper } from './secret-keeper.ts';

const TENANT = 'tnt_a' as TenantId;
const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
const LOST = { status: 'disabled', disabledReason: 'secret_lost' };

const box = () => new SecretBox({ masterKey: new Secret(randomBytes(32)) });
const memoryBox = () => new SecretBox({ masterKey: undefined });
const logger = createLogger({ level: 'silent' });
const store = useTestDatabase({ scope: 'test' });
let clock: ManualClock;

beforeEach(() => {
  clock = new ManualClock();
});

/** A process with these keys. It reports when the test says so. */
const keeperOf = (secrets: SecretBox) =>
  new SecretKeeper({ database: store.database, secrets, clock, logger });

async function add(webhookId: string, secrets: SecretBox): Promise<void> {
  const webhook: WebhookRecord = {
    webhookId,
    url: 'https://siem.example.com/',
    severities: null,
    autoReplay: true,
    status: 'active',
    disabledReason: null,
    createdAtMs: clock.now(),
    updatedAtMs: clock.now(),
    secret: secrets.seal(new Secret('a secret'), secretBinding(TENANT, webhookId)),
    previous: null,
  };
  await store.database.transaction(async (tx) => {
    await webhookStore.create(tx, TENANT, webhook);
    const delivery = { webhookId, eventId: 'evt_1' };
    const deliveries = [
      { ...delivery, deliveryId: `dlv_${webhookId}`, testBody: null },
      { ...delivery, deliveryId: `dlv_${webhookId}_test`, testBody: '{}' },
    ];
    await deliveryStore.createMany(tx, TENANT, { deliveries, nowMs: clock.now() });
  });
}

const read = (webhookId: string) => webhookStore.find(store.database.read, TENANT, webhookId);

async function countDead(webhookId: string): Promise<number> {
  const range = { webhookId, sinceMs: 0, enough: 99 };
  return await deadLetterReadModel.countSince(store.database.read, TENANT, range);
}

async function countPending(webhookId: string): Promise<number> {
  const page = { after: undefined, limit: 99 };
  const filter = { webhookId, status: { not: false, values: ['pending'] } } as const;
  return (await deliveryStore.list(store.database.read, TENANT, { filter, page })).length;
}

test.each([
  ['a wrong master key', box],
  ['no master key', memoryBox],
])(
  'with %s, webhooks of an ended process are disabled with their deliveries as dead letters',
  async (_, next) => {
    const before = box();
    const ended = keeperOf(before);
    await ended.start();
    await add('whk_1', before);
    await ended.stop();
    const keeper = keeperOf(next());
    await keeper.start();
    expect(await read('whk_1')).toMatchObject(LOST);
    // A test delivery ends, and does not become a dead letter.
    expect([await countDead('whk_1'), await countPending('whk_1')]).toEqual([1, 0]);
    await keeper.stop();

    // The right key enables it again.
    const right = keeperOf(before);
    await right.start();
    expect(await read('whk_1')).toMatchObject({ status: 'active', disabledReason: null });
    expect(await countDead('whk_1')).toBe(1);
    await right.stop();
  },
);

test('a webhook that a person has disabled stays as it is', async () => {
  await add('whk_1', box());
  const webhook = (await read('whk_1')) as WebhookRecord;
  await store.database.transaction((tx) =>
    webhookStore.update(tx, TENANT, { ...webhook, status: 'disabled', disabledReason: 'requested' }),
  );
  await keeperOf(box()).round();
  expect(await read('whk_1')).toMatchObject({ disabledReason: 'requested' });
  expect(await countPending('whk_1')).toBe(2);
});

test('a secret that was damaged does not enable its webhook', async () => {
  const secrets = box();
  await add('whk_1', secrets);
  await keeperOf(box()).round();
  expect(await read('whk_1')).toMatchObject(LOST);
  await store.database.transaction(async (tx) => {
    const row = { tenant_id: TENANT, webhook_id: 'whk_1', secret: Buffer.alloc(40) };
    await tx.updateMany('webhooks', ['tenant_id', 'webhook_id'], [row]);
  });
  await keeperOf(secrets).round();
  expect(await read('whk_1')).toMatchObject(LOST);
});

test.runIf(IS_SQLITE)('on a store of one process, a killed process is gone at once', async () => {
  const killed = memoryBox();
  await keeperOf(killed).round();
  await add('whk_1', killed);
  const keeper = keeperOf(memoryBox());
  await keeper.start();
  expect(await read('whk_1')).toMatchObject(LOST);
  await keeper.stop();
});

test.runIf(!IS_SQLITE)(
  'on a shared store, a process counts as running for 30 s after its last report',
  async () => {
    const [one, other] = [memoryBox(), memoryBox()];
    await keeperOf(one).round();
    await add('whk_1', one);
    clock.advance(30_000);
    await keeperOf(other).round();
    expect(await read('whk_1')).toMatchObject({ status: 'active' });
    expect(await countPending('whk_1')).toBe(2);
    clock.advance(1);
    await keeperOf(other).round();
    expect(await read('whk_1')).toMatchObject(LOST);
    // It was only slow to report.
    await keeperOf(one).round();
    expect(await read('whk_1')).toMatchObject({ status: 'active' });
  },
);
