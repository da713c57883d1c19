import { randomBytes } from 'node:crypto';
import { WEBHOOK_LIMIT } from '@tps/contract';
import { countWaiting, useTestDatabase } from '@tps/testing/store';
import { ManualClock, waitUntil } from '@tps/testing/time';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Queries } from '../../database/index.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { TargetRejectedError } from '../../platform/outbound/target-rejected-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { auditStore } from '../audit/index.ts';
import { RequestDatabase } from '../authority/index.ts';
import { createOperator } from '../authority/testing/create-operator.ts';
import { feedHeadStore } from '../feed/index.ts';
import { TenantService } from '../tenants/tenant-service.ts';
import * as deliveryStore from './deliveries/delivery-store.ts';
import { disableWebhook } from './give-up.ts';
import { secretBinding, type WebhookRecord } from './webhook.ts';
import { WebhookService } from './webhook-service.ts';
import * as webhookStateStore from './webhook-state-store.ts';
import * as webhookStore from './webhook-store.ts';

const clock = new ManualClock();
const secrets = new SecretBox({ masterKey: new Secret(randomBytes(32)) });
const URL_WITH_TOKEN = 'https://visitor:hunter2@siem.example.com/in?token=sesame#leftover';
const FIRST_SECRET = 'first-secret-0123456789';

let tenantId: TenantId;
let requestIn: (tenantId: TenantId) => AdmittedRequest;
let checked: string[];
/** What the store contained at each wake-up of the dispatcher. */
let wakes: Promise<number>[];

const store = useTestDatabase();

beforeAll(async () => {
  requestIn = await createOperator(store.database, 'tok_someone');
});

beforeEach(async () => {
  [checked, wakes] = [[], []];
  tenantId = await createTenant();
});

async function createTenant(): Promise<TenantId> {
  const tenants = new TenantService({ database: store.database, clock });
  const wanted = { name: 'one', environment: 'test' } as const;
  return (await store.database.transaction((tx) => tenants.create(tx, wanted))).tenantId;
}

function serviceWith(box: SecretBox): WebhookService {
  return new WebhookService({
    database: new RequestDatabase({ database: store.database, clock }),
    clock,
    secrets: box,
    async checkTarget(url) {
      checked.push(url);
      if (url.includes('refused')) throw new TargetRejectedError('its host is not public');
      if (url.includes('broken')) throw new Error('resolver crashed');
    },
    wake() {
      wakes.push(countActive());
    },
  });
}

const service = () => serviceWith(secrets);

async function create(webhooks = service(), ofTenant = tenantId): Promise<WebhookRecord> {
  const url = await webhooks.acceptUrl(URL_WITH_TOKEN);
  return store.database.transaction((tx) =>
    webhooks.create(tx, { url, secret: FIRST_SECRET }, requestIn(ofTenant)),
  );
}

const find = (webhookId: string) => webhookStore.find(store.database.read, tenantId, webhookId);

const update = (webhookId: string, change: object, webhooks = service()) =>
  webhooks.update(tenantId, webhookId, { change, request: requestIn(tenantId) });

const rotate = (webhookId: string, secret: string, overlapS?: number) =>
  service().rotateSecret(tenantId, webhookId, {
    rotation: { secret, ...(overlapS === undefined ? {} : { overlap_s: overlapS }) },
    request: requestIn(tenantId),
  });

function openBoth({ webhookId, secret, previous }: WebhookRecord): (string | undefined)[] {
  return [secret, previous?.secret].map(
    (sealed) => sealed && secrets.open(sealed, secretBinding(tenantId, webhookId))?.reveal(),
  );
}

async function addDelivery(webhookId: string): Promise<void> {
  const delivery = { webhookId, deliveryId: 'dlv_1', eventId: 'evt_1', testBody: null };
  await store.database.transaction((tx) =>
    deliveryStore.createMany(tx, tenantId, { deliveries: [delivery], nowMs: clock.now() }),
  );
}

const findDelivery = (webhookId: string) =>
  deliveryStore.find(store.database.read, tenantId, { webhookId, deliveryId: 'dlv_1' });

async function countActive(): Promise<number> {
  return (await webhookStore.listActive(store.database.read, tenantId)).length;
}

async function auditOf(webhookId: string) {
  const filter = { actionPrefix: 'webhook.', resourceId: webhookId };
  const page = { after: undefined, limit: 50 };
  return (await auditStore.list(store.database.read, tenantId, filter, page)).reverse();
}

async function readColumns(webhookId: string) {
  return store.database.read.db
    .selectFrom('webhooks')
    .select(['secret_key_id', 'previous_secret_key_id'])
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst();
}

function saveFailing(webhookId: string): Promise<void> {
  return store.database.transaction((tx) => saveFailingIn(tx, webhookId));
}

function saveFailingIn(tx: Queries, webhookId: string): Promise<void> {
  const state = { tenantId, webhookId, lastStatus: 'failed', lastError: 'x', lastAtMs: 1 } as const;
  return webhookStateStore.saveMany(tx, [{ ...state, lastAttempts: 3, failingSinceMs: 1 }]);
}

async function failingSince(webhookId: string): Promise<number | null | undefined> {
  const states = await webhookStateStore.findMany(store.database.read, tenantId, [webhookId]);
  return states.get(webhookId)?.failingSinceMs;
}

describe('a target', () => {
  test('that is rejected is distinguished from a check that failed', async () => {
    await expect(service().acceptUrl('https://refused.example')).rejects.toMatchObject({
      code: 'webhook_url_rejected',
      message: 'url is rejected: its host is not public',
    });
    await expect(service().acceptUrl('https://broken.example')).rejects.toThrow(/^resolver crashed$/);
  });

  test('is checked again only if it changes', async () => {
    const { webhookId } = await create();
    checked = [];
    await update(webhookId, { url: URL_WITH_TOKEN, severity_filter: ['high'] });
    expect(checked).toEqual([]);
    await expect(update(webhookId, { url: 'https://refused.example' })).rejects.toMatchObject({
      code: 'webhook_url_rejected',
    });
    expect(await find(webhookId)).toMatchObject({ url: URL_WITH_TOKEN, severities: ['high'] });
    await update(webhookId, { url: 'https://new.example/' });
    expect(checked).toEqual(['https://refused.example', 'https://new.example/']);
  });

  test('of an unknown webhook is not looked up', async () => {
    const change = update('whk_nobody', { url: 'https://new.example/' });
    await expect(change).rejects.toMatchObject({ code: 'not_found' });
    expect(checked).toEqual([]);
  });
});

describe('the limit', () => {
  test('applies to concurrent registrations, and per tenant', async () => {
    const webhooks = service();
    for (let count = 0; count < WEBHOOK_LIMIT - 2; count += 1) await create(webhooks);
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => create(webhooks)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('webhook_limit_reached');
    }
    const all = await webhookStore.list(store.database.read, tenantId, { after: undefined, limit: 500 });
    expect(all).toHaveLength(WEBHOOK_LIMIT);
    await create(webhooks, await createTenant());
  });
});

describe('a change', () => {
  test('without an effect leaves no trace', async () => {
    const webhook = await create();
    clock.advance(1000);
    const same = { url: URL_WITH_TOKEN, severity_filter: null, status: 'active' };
    expect(await update(webhook.webhookId, same)).toEqual(webhook);
    expect(await find(webhook.webhookId)).toEqual(webhook);
    expect(await auditOf(webhook.webhookId)).toHaveLength(1);
    expect(wakes).toEqual([]);
  });

  test('that enables clears the reason and the failures, and wakes the dispatcher after commit', async () => {
    const { webhookId } = await create();
    await update(webhookId, { status: 'disabled' });
    expect(await find(webhookId)).toMatchObject({ status: 'disabled', disabledReason: 'requested' });
    expect(wakes).toEqual([]);
    await saveFailing(webhookId);
    await update(webhookId, { status: 'active' });
    expect(await find(webhookId)).toMatchObject({ status: 'active', disabledReason: null });
    expect(await failingSince(webhookId)).toBeNull();
    expect(await Promise.all(wakes)).toEqual([1]);
  });

  test('of the URL resets the failure count, one of the filter does not', async () => {
    const { webhookId } = await create();
    await saveFailing(webhookId);
    await update(webhookId, { severity_filter: ['low'] });
    expect(await failingSince(webhookId)).toBe(1);
    await update(webhookId, { url: 'https://new.example/' });
    expect(await failingSince(webhookId)).toBeNull();
  });

  test('to disabled keeps the reason of a webhook that the service has disabled', async () => {
    const { webhookId } = await create();
    const stop = { webhookId, reason: 'gone', detail: 'answered 410', nowMs: clock.now() } as const;
    await store.database.transaction((tx) => disableWebhook(tx, tenantId, stop));
    await update(webhookId, { status: 'disabled' });
    await update(webhookId, { status: 'disabled', severity_filter: ['high'] });
    const kept = { status: 'disabled', disabledReason: 'gone', severities: ['high'] };
    expect(await find(webhookId)).toMatchObject(kept);
  });

  test('by a process that cannot open the secret leaves the secret unchanged', async () => {
    const holder = serviceWith(new SecretBox({ masterKey: undefined }));
    const { webhookId } = await create(holder);
    const before = await readColumns(webhookId);
    clock.advance(120_000);
    const other = serviceWith(new SecretBox({ masterKey: undefined }));
    await update(webhookId, { url: 'https://new.example/' }, other);
    await update(webhookId, { status: 'disabled' }, other);
    expect(await readColumns(webhookId)).toEqual(before);
  });
});

describe('a rotation', () => {
  test('keeps the old secret for a day, or for the given overlap', async () => {
    const { webhookId } = await create();
    const rotated = await rotate(webhookId, 'second-secret-0123456789');
    expect(openBoth(rotated)).toEqual(['second-secret-0123456789', FIRST_SECRET]);
    expect(rotated.previous?.untilMs).toBe(clock.now() + 86_400_000);
    const again = await rotate(webhookId, 'third-secret-0123456789', 60);
    expect(openBoth(again)).toEqual(['third-secret-0123456789', 'second-secret-0123456789']);
    expect(again.previous?.untilMs).toBe(clock.now() + 60_000);
    expect(await find(webhookId)).toEqual(again);
  });

  test('without an overlap ends every older secret at once', async () => {
    const { webhookId } = await create();
    await rotate(webhookId, 'second-secret-0123456789');
    const ended = await rotate(webhookId, 'third-secret-0123456789', 0);
    expect(openBoth(ended)).toEqual(['third-secret-0123456789', undefined]);
    expect((await find(webhookId))?.previous).toBeNull();
  });

  test('to the current secret is rejected, and ends no older one', async () => {
    const { webhookId } = await create();
    const rotated = await rotate(webhookId, 'second-secret-0123456789');
    await expect(rotate(webhookId, 'second-secret-0123456789', 0)).rejects.toMatchObject({
      code: 'invalid_field',
    });
    expect(await find(webhookId)).toEqual(rotated);
    expect(openBoth(await rotate(webhookId, FIRST_SECRET))).toEqual([
      FIRST_SECRET,
      'second-secret-0123456789',
    ]);
  });

  test('makes its process the holder of a secret that no other can open', async () => {
    const { webhookId } = await create(serviceWith(new SecretBox({ masterKey: undefined })));
    const box = new SecretBox({ masterKey: undefined });
    clock.advance(120_000);
    const rotation = { secret: FIRST_SECRET };
    await serviceWith(box).rotateSecret(tenantId, webhookId, { rotation, request: requestIn(tenantId) });
    expect(await readColumns(webhookId)).toEqual({ secret_key_id: box.keyId, previous_secret_key_id: null });
  });
});

describe('removal', () => {
  test('deletes the webhook, its state and its deliveries; a repeat is not found', async () => {
    const { webhookId } = await create();
    await saveFailing(webhookId);
    await addDelivery(webhookId);
    await service().remove(tenantId, webhookId, requestIn(tenantId));
    expect(await find(webhookId)).toBeUndefined();
    expect(await failingSince(webhookId)).toBeUndefined();
    expect(await findDelivery(webhookId)).toBeUndefined();
    await expect(service().remove(tenantId, webhookId, requestIn(tenantId))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('of a webhook of another tenant is not found', async () => {
    const { webhookId } = await create();
    await addDelivery(webhookId);
    const other = await createTenant();
    const attempts = [
      () => service().remove(other, webhookId, requestIn(other)),
      () => service().update(other, webhookId, { change: { status: 'disabled' }, request: requestIn(other) }),
      () =>
        service().rotateSecret(other, webhookId, {
          rotation: { secret: 'x'.repeat(16) },
          request: requestIn(other),
        }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'not_found' });
    const stop = { webhookId, reason: 'gone', detail: 'x', nowMs: clock.now() } as const;
    expect(await store.database.transaction((tx) => disableWebhook(tx, other, stop))).toBe(false);
    expect(await find(webhookId)).toMatchObject({ status: 'active' });
    expect(await findDelivery(webhookId)).toBeDefined();
  });
});

test('the service disables an active webhook once, and is named as the actor', async () => {
  const { webhookId } = await create();
  clock.advance(1);
  const stop = {
    webhookId,
    reason: 'failing',
    detail: '5 days without a success',
    nowMs: clock.now(),
  } as const;
  const disable = () => store.database.transaction((tx) => disableWebhook(tx, tenantId, stop));
  expect([await disable(), await disable()]).toEqual([true, false]);
  expect(await find(webhookId)).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
  const [, entry, ...more] = await auditOf(webhookId);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    action: 'webhook.disable',
    actor: { type: 'service', id: 'service' },
    request_id: null,
    detail: '5 days without a success',
    fields: { disabled_reason: 'failing' },
  });
});

test.runIf(process.env.TEST_STORE === 'postgres').each([
  ['changed', (webhookId: string) => update(webhookId, { url: 'https://new.example/' })],
  ['removed', (webhookId: string) => service().remove(tenantId, webhookId, requestIn(tenantId))],
])('a webhook can be disabled while it is being %s, without a deadlock', async (_how, act) => {
  const { webhookId } = await create();
  await saveFailing(webhookId);
  const stop = { webhookId, reason: 'failing', detail: 'x', nowMs: clock.now() } as const;
  let acting: Promise<unknown> = Promise.resolve();
  const isDisabled = await store.database.transaction(async (tx) => {
    // What recording a failed attempt locks before it disables the webhook.
    await feedHeadStore.lock(tx, tenantId);
    await saveFailingIn(tx, webhookId);
    acting = act(webhookId);
    await waitUntil(async () => (await countWaiting(store.database.read)) > 0);
    return disableWebhook(tx, tenantId, stop);
  });
  await acting;
  expect(isDisabled).toBe(true);
});

test('each change is audited, without secrets and without the token parts of a URL', async () => {
  const { webhookId } = await create();
  const steps = [
    () => update(webhookId, { status: 'disabled', severity_filter: ['high'] }),
    () => update(webhookId, { status: 'active' }),
    () => rotate(webhookId, 'second-secret-0123456789', 60),
    () => service().remove(tenantId, webhookId, requestIn(tenantId)),
  ];
  for (const step of steps) {
    clock.advance(1);
    await step();
  }
  const entries = await auditOf(webhookId);
  // Two entries of one millisecond have no order.
  expect(entries.map(({ action }) => action.replace('webhook.', '')).sort()).toEqual([
    'create',
    'delete',
    'disable',
    'enable',
    'rotate_secret',
    'update',
  ]);
  for (const entry of entries) {
    expect(entry).toMatchObject({
      tenant_id: tenantId,
      actor: { type: 'token', id: 'tok_someone' },
      request_id: 'req_test',
      fields: { url: 'https://siem.example.com' },
    });
    expect(JSON.stringify(entry)).not.toMatch(/sesame|visitor|hunter2|leftover|-secret-/);
  }
});
