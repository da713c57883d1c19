import { randomBytes } from 'node:crypto';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../../platform/crypto/secret.ts';
import { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { auditStore } from '../../audit/index.ts';
import { secretBinding, type WebhookRecord } from '../webhook.ts';
import * as webhookStore from '../webhook-store.ts';
import { checkStoredSecrets, rewrapSecrets } from './stored-secrets.ts';

const TENANTS = ['tnt_a', 'tnt_b'] as TenantId[];
const [TENANT = '' as TenantId, OTHER = '' as TenantId] = TENANTS;

const masterKey = () => new Secret(randomBytes(32));
const [oldKey, newKey] = [masterKey(), masterKey()];
const oldBox = new SecretBox({ masterKey: oldKey });
const bothBox = new SecretBox({ masterKey: newKey, previousKey: oldKey });
const newBox = new SecretBox({ masterKey: newKey });
const memoryBox = () => new SecretBox({ masterKey: undefined });

let clock: ManualClock;

const store = useTestDatabase({ scope: 'test' });

beforeEach(async () => {
  clock = new ManualClock();
});

async function add(
  webhookId: string,
  box: SecretBox,
  { tenantId = TENANT, previous = null as SecretBox | null, untilMs = Number.MAX_SAFE_INTEGER } = {},
): Promise<void> {
  const seal = (by: SecretBox, text: string) => by.seal(new Secret(text), secretBinding(tenantId, webhookId));
  const webhook: WebhookRecord = {
    webhookId,
    url: 'https://siem.example.com/',
    severities: null,
    autoReplay: true,
    status: 'active',
    disabledReason: null,
    createdAtMs: 1,
    updatedAtMs: 2,
    secret: seal(box, `secret of ${webhookId}`),
    previous: previous && { secret: seal(previous, `old secret of ${webhookId}`), untilMs },
  };
  await store.database.transaction((tx) => webhookStore.create(tx, tenantId, webhook));
}

const partsWith = (secrets: SecretBox) => ({ database: store.database, secrets, clock });

async function messageOf(check: Promise<void>): Promise<string> {
  return check.then(
    () => '',
    (error: Error) => error.message,
  );
}

async function getRecord(webhookId: string, tenantId = TENANT): Promise<WebhookRecord> {
  const webhook = await webhookStore.find(store.database.read, tenantId, webhookId);
  if (!webhook) throw new Error('no such webhook');
  return webhook;
}

describe('the check at the start', () => {
  test('skips secrets that open, that another process holds, or that no longer sign', async () => {
    await add('whk_1', oldBox);
    await add('whk_2', newBox, { previous: oldBox });
    await add('whk_3', memoryBox(), { previous: memoryBox() });
    await add('whk_4', newBox, { previous: memoryBox() });
    await add('whk_5', newBox, { previous: new SecretBox({ masterKey: masterKey() }), untilMs: clock.now() });
    await checkStoredSecrets(partsWith(bothBox));
  });

  test('names the unreadable secrets, their key, and how to fix it', async () => {
    await add('whk_1', newBox);
    await add('whk_2', oldBox, { tenantId: OTHER });
    await add('whk_3', newBox, { previous: oldBox });
    const message = await messageOf(checkStoredSecrets(partsWith(newBox)));
    expect(message).toContain('The secrets of 2 webhooks');
    expect(message).toContain(`whk_2 of ${OTHER}`);
    expect(message).toContain(`whk_3 of ${TENANT}`);
    expect(message).not.toContain('whk_1');
    expect(message).toContain(`with the key ${oldBox.keyId}; the keys that are set are ${newBox.keyId}`);
    expect(message).toContain('SERVICE_SECRET_KEY_B64_PREVIOUS');
    expect(message).not.toContain('secret of');
  });

  test('names at most 20 and counts the rest, also beyond one page', async () => {
    for (let count = 0; count < 203; count += 1) await add(`whk_${String(count).padStart(3, '0')}`, oldBox);
    const message = await messageOf(checkStoredSecrets(partsWith(newBox)));
    expect(message.match(/whk_\d+ of/g)).toHaveLength(20);
    expect(message).toContain('The secrets of 203 webhooks');
    expect(message).toContain('and 183 more');
  });

  test('fails without a master key if there are secrets under one', async () => {
    await add('whk_1', memoryBox());
    await checkStoredSecrets(partsWith(memoryBox()));
    await add('whk_2', oldBox);
    const message = await messageOf(checkStoredSecrets(partsWith(memoryBox())));
    expect(message).toContain(`with the key ${oldBox.keyId}; SERVICE_SECRET_KEY_B64 is not set`);
  });

  test('distinguishes damaged or moved secrets from those under another key', async () => {
    await add('whk_1', newBox);
    await add('whk_2', newBox);
    await store.database.transaction(async (tx) => {
      const { secret } = await getRecord('whk_1');
      await tx.updateMany(
        'webhooks',
        ['tenant_id', 'webhook_id'],
        [{ tenant_id: TENANT, webhook_id: 'whk_2', secret: secret.bytes }],
      );
    });
    const message = await messageOf(checkStoredSecrets(partsWith(newBox)));
    expect(message).toContain('The secrets of 1 webhook in');
    expect(message).toContain('damaged or moved');
    expect(message).not.toContain('SERVICE_SECRET_KEY_B64_PREVIOUS');
  });
});

test('swapped secrets do not open, nor does one of another tenant', async () => {
  await add('whk_1', newBox);
  await add('whk_2', newBox);
  await add('whk_1', newBox, { tenantId: OTHER });
  const places = [
    [TENANT, 'whk_1'],
    [TENANT, 'whk_2'],
    [OTHER, 'whk_1'],
  ] as const;
  for (const [tenantId, webhookId] of places) {
    const { secret } = await getRecord(webhookId, tenantId);
    for (const [byTenant, byId] of places) {
      const isOwn = byTenant === tenantId && byId === webhookId;
      expect(newBox.open(secret, secretBinding(byTenant, byId)) !== undefined).toBe(isOwn);
    }
  }
});

describe('re-encryption', () => {
  test('keeps every secret and makes the old key unnecessary', async () => {
    for (let count = 0; count < 45; count += 1) await add(`whk_${count}`, oldBox, { previous: oldBox });
    await add('whk_new', newBox);
    const untouched = await getRecord('whk_new');
    expect(await rewrapSecrets(partsWith(bothBox))).toEqual({ rewrapped: 90, unreadable: 0 });
    await checkStoredSecrets(partsWith(newBox));
    const after = await getRecord('whk_44');
    const binding = secretBinding(TENANT, 'whk_44');
    expect(newBox.open(after.secret, binding)?.reveal()).toBe('secret of whk_44');
    const previous = after.previous && newBox.open(after.previous.secret, binding);
    expect(previous?.reveal()).toBe('old secret of whk_44');
    expect(after.updatedAtMs).toBe(2);
    expect(await getRecord('whk_new')).toEqual(untouched);
  });

  test('continues after an interruption, repeats nothing, and is audited once a run', async () => {
    await add('whk_1', newBox, { previous: oldBox });
    await add('whk_2', oldBox);
    expect(await rewrapSecrets(partsWith(bothBox))).toEqual({ rewrapped: 2, unreadable: 0 });
    const before = await getRecord('whk_2');
    expect(await rewrapSecrets(partsWith(bothBox))).toEqual({ rewrapped: 0, unreadable: 0 });
    expect(await getRecord('whk_2')).toEqual(before);
    const page = { after: undefined, limit: 9 };
    const entries = await auditStore.list(
      store.database.read,
      '' as TenantId,
      { actionPrefix: 'secrets.' },
      page,
    );
    expect(entries.map(({ fields }) => fields.rewrapped).sort()).toEqual([0, 2]);
    expect(entries[0]).toMatchObject({
      tenant_id: null,
      action: 'secrets.rewrap',
      actor: { type: 'command_line' },
    });
  });

  test('drops an older secret that no longer signs, and skips unreadable ones', async () => {
    const lost = new SecretBox({ masterKey: masterKey() });
    await add('whk_1', newBox, { previous: oldBox, untilMs: clock.now() });
    await add('whk_2', lost, { previous: oldBox });
    const before = await getRecord('whk_2');
    expect(await rewrapSecrets(partsWith(bothBox))).toEqual({ rewrapped: 1, unreadable: 1 });
    expect((await getRecord('whk_1')).previous).toBeNull();
    expect((await getRecord('whk_2')).secret).toEqual(before.secret);
  });

  test('needs a master key', async () => {
    await expect(rewrapSecrets(partsWith(memoryBox()))).rejects.toThrow('SERVICE_SECRET_KEY_B64 is not set');
  });
});
