import { countOf } from '@tps/contract/vocabulary';
import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { isMemoryKey, type SealedSecret, type SecretBox } from '../../../platform/crypto/secret-box.ts';
import { auditStore, COMMAND_LINE } from '../../audit/index.ts';
import { secretBinding, type WebhookKey, type WebhookRecord } from '../webhook.ts';
import * as webhookStore from '../webhook-store.ts';
import type { TenantWebhook } from './stored-secrets-store.ts';
import * as storedSecretsStore from './stored-secrets-store.ts';

interface Parts {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly clock: Clock;
}

/** A check needs read access only. */
type ReadingParts = Omit<Parts, 'database'> & { readonly database: Pick<Database, 'read'> };

const PAGE = 200;
/** Webhooks per transaction: small enough not to delay events. */
const SECRETS_PER_TRANSACTION = 20;
/** Maximum number of webhooks, and of keys, that a message names; the rest is only counted. */
const MAX_NAMED = 20;

/** Secrets in the store that do not open with the keys of this process. The message shows no secret. */
export class UnreadableSecretsError extends Error {
  override readonly name = 'UnreadableSecretsError';
}

/**
 * Opens every secret in the store, except those held by another process in memory and those that no longer sign.
 * @throws UnreadableSecretsError that names what cannot be read and how to fix it
 */
export async function checkStoredSecrets(parts: ReadingParts): Promise<void> {
  const unreadable = await findUnreadable(parts);
  if (unreadable.count > 0) throw new UnreadableSecretsError(describeUnreadable(unreadable, parts.secrets));
}

/**
 * Re-encrypts every secret under another known key with the current key, a few webhooks at a time: it can be
 * stopped at any moment and started again. When no `unreadable` are left, the other keys are not needed any more.
 */
export async function rewrapSecrets(parts: Parts): Promise<{ rewrapped: number; unreadable: number }> {
  const { database, secrets, clock } = parts;
  if (secrets.persistence === 'memory') {
    throw new Error('SERVICE_SECRET_KEY_B64 is not set: a key is required to encrypt the stored secrets.');
  }
  const otherKeyIds = secrets.keyIds.filter((keyId) => keyId !== secrets.keyId);
  let rewrapped = 0;
  let page: TenantWebhook[] = [];
  do {
    const next = { after: page.at(-1), limit: SECRETS_PER_TRANSACTION };
    rewrapped += await database.transaction(async (tx) => {
      page = await storedSecretsStore.listUnderForUpdate(tx, otherKeyIds, next);
      let sealed = 0;
      for (const one of page) sealed += await rewrap(tx, one, parts);
      return sealed;
    });
  } while (page.length === SECRETS_PER_TRANSACTION);
  const { count: unreadable } = await findUnreadable(parts);
  const record = {
    tenantId: null,
    actor: COMMAND_LINE,
    action: 'secrets.rewrap',
    resource: { type: 'secret_key', id: secrets.keyId },
    outcome: 'success',
    requestId: null,
    detail: `${rewrapped} stored secrets re-encrypted with the current key`,
    fields: { rewrapped, unreadable },
  } as const;
  await database.transaction((tx) => auditStore.append(tx, record, clock.now()));
  return { rewrapped, unreadable };
}

type Page = Parameters<typeof storedSecretsStore.list>[1];

/** Iterates over all pages, with one page in memory at a time. */
async function* eachOf(read: (page: Page) => Promise<TenantWebhook[]>): AsyncGenerator<TenantWebhook> {
  let after: WebhookKey | undefined;
  for (;;) {
    const page = await read({ after, limit: PAGE });
    yield* page;
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}

interface Unreadable {
  count: number;
  readonly named: WebhookKey[];
  readonly keyIds: Set<string>;
}

async function findUnreadable({ database, secrets, clock }: ReadingParts): Promise<Unreadable> {
  const unreadable: Unreadable = { count: 0, named: [], keyIds: new Set() };
  const nowMs = clock.now();
  for await (const found of eachOf((page) => storedSecretsStore.list(database.read, page))) {
    const binding = secretBinding(found.tenantId, found.webhookId);
    const failing = secretsInUse(found.webhook, nowMs).filter(
      (secret) => !isMemoryKey(secret.keyId) && !secrets.open(secret, binding),
    );
    if (failing.length === 0) continue;
    unreadable.count += 1;
    if (unreadable.named.length < MAX_NAMED) unreadable.named.push(found);
    for (const { keyId } of failing) if (unreadable.keyIds.size < MAX_NAMED) unreadable.keyIds.add(keyId);
  }
  return unreadable;
}

/** An older secret that no longer signs need not be readable. */
function secretsInUse({ secret, previous }: WebhookRecord, nowMs: number): SealedSecret[] {
  return previous && previous.untilMs > nowMs ? [secret, previous.secret] : [secret];
}

function describeUnreadable({ count, named, keyIds }: Unreadable, secrets: SecretBox): string {
  const missing = [...keyIds].filter((keyId) => !secrets.keyIds.includes(keyId));
  const given =
    secrets.persistence === 'memory'
      ? 'SERVICE_SECRET_KEY_B64 is not set'
      : `the keys that are set are ${secrets.keyIds.join(', ')}`;
  return [
    `The secrets of ${countOf(count, 'webhook')} in the store cannot be read:`,
    ...named.map(({ tenantId, webhookId }) => `  - ${webhookId} of ${tenantId}`),
    ...(count > named.length ? [`  and ${count - named.length} more.`] : []),
    ...(missing.length === 0
      ? [
          'They are encrypted with a key that is set, so they were damaged or moved. Restore them from a backup.',
        ]
      : [
          `They are encrypted with the key ${missing.join(', ')}; ${given}.`,
          'Set SERVICE_SECRET_KEY_B64 to that key. If it was replaced, set the old key as',
          'SERVICE_SECRET_KEY_B64_PREVIOUS until "secrets rewrap" has run.',
        ]),
  ].join('\n');
}

/**
 * Returns the number of secrets it sealed. A secret that does not open stays as it is; one that no longer signs is
 * dropped.
 */
async function rewrap(
  tx: Queries,
  { tenantId, webhookId, webhook }: TenantWebhook,
  { secrets, clock }: Parts,
): Promise<number> {
  const nowMs = clock.now();
  const binding = secretBinding(tenantId, webhookId);
  const reseal = (sealed: SealedSecret): SealedSecret => {
    const opened = sealed.keyId === secrets.keyId ? undefined : secrets.open(sealed, binding);
    return opened ? secrets.seal(opened, binding) : sealed;
  };
  const secret = reseal(webhook.secret);
  const { previous } = webhook;
  const isOver = previous !== null && previous.untilMs <= nowMs;
  const kept = previous && !isOver ? { ...previous, secret: reseal(previous.secret) } : null;
  const after: WebhookRecord = { ...webhook, secret, previous: kept };
  await webhookStore.updateSecrets(tx, tenantId, after);
  return Number(secret !== webhook.secret) + Number(kept !== null && kept.secret !== previous?.secret);
}
