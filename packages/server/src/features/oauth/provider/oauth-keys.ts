import { createHash, generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import type { Database, Queries } from '../../../database/index.ts';
import { settingsStore } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Secret } from '../../../platform/crypto/secret.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { OauthKeyRow } from './key-store.ts';
import * as keyStore from './key-store.ts';

const DAY_MS = 86_400_000;
/** How long a key signs. */
const ACTIVE_MS = 90 * DAY_MS;
/** Before it signs, a key is published for this long: clients keep what they have read of the key set. */
const ANNOUNCED_MS = 2 * DAY_MS;
/** ID tokens live an hour, and browsers keep the cookies of a sign-in for a day. */
const RETIRED_MS = 2 * DAY_MS;

const PURPOSES = ['signing', 'cookies'] as const;
type Purpose = (typeof PURPOSES)[number];

/** The keys that the authorization server uses now. */
export interface OauthKeySet {
  /** Private keys (P-256). The first one signs; all are published. */
  readonly signing: readonly JsonWebKey[];
  /** The first one signs cookies; all verify them. */
  readonly cookies: readonly string[];
  /** Changes when a key begins or ends. */
  readonly version: string;
}

interface Parts {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The keys of the authorization server: stored sealed under the master key, so that all nodes and later starts use the same
 * ones. Without a master key they are never stored and last as long as the process.
 */
export class OauthKeys {
  readonly #parts: Parts;
  #memory: OauthKeySet | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads the keys. Creates and announces the next ones when they are due. */
  async read(): Promise<OauthKeySet> {
    const { database, secrets, clock, logger } = this.#parts;
    if (secrets.persistence === 'memory') {
      if (!this.#memory) {
        logger.warn(
          'keys of the authorization server last as long as this process: SERVICE_SECRET_KEY_B64 is not set',
        );
      }
      this.#memory ??= toMemoryKeys();
      return this.#memory;
    }
    const nowMs = clock.now();
    const rows = await keyStore.list(database.read);
    const usable = PURPOSES.every(
      (purpose) => findActive(openAll(rows, secrets), purpose, nowMs) && !isDue(rows, purpose, nowMs),
    );
    const current = usable ? rows : await this.#rotate();
    return toKeySet(openAll(current, secrets), nowMs);
  }

  /** Creates the keys that are due. Nodes take turns: one creates them, and the others find them. */
  #rotate(): Promise<OauthKeyRow[]> {
    const { database, secrets, clock, logger } = this.#parts;
    return database.transaction(async (tx) => {
      // Locks the row until the transaction ends.
      await settingsStore.save(tx, 'oauth_keys_lock', '');
      const nowMs = clock.now();
      await keyStore.purge(tx, nowMs - RETIRED_MS);
      for (const purpose of PURPOSES) {
        const rows = await keyStore.list(tx);
        const active = findActive(openAll(rows, secrets), purpose, nowMs);
        if (active && !isDue(rows, purpose, nowMs)) continue;
        const created = await createKey(tx, {
          secrets,
          purpose,
          nowMs,
          activeFrom: active ? nowMs + ANNOUNCED_MS : nowMs,
        });
        if (active) await keyStore.retire(tx, active.keyId, created.active_from);
        logger.info({ purpose, keyId: created.key_id }, 'key of the authorization server created');
      }
      return keyStore.list(tx);
    });
  }
}

/** Seals the stored keys under the current master key. None counts as unreadable: the service replaces such keys. */
export async function rewrapOauthKeys({
  database,
  secrets,
}: Pick<Parts, 'database' | 'secrets'>): Promise<{ rewrapped: number; unreadable: number }> {
  return database.transaction(async (tx) => {
    let rewrapped = 0;
    for (const row of await keyStore.list(tx)) {
      if (row.sealed_under === secrets.keyId) continue;
      const opened = openKey(row, secrets);
      // A key that cannot be opened is of no use to anyone; the service creates another one.
      if (!opened) continue;
      const sealed = secrets.seal(opened, bindingOf(row.key_id));
      await keyStore.saveSealed(tx, row.key_id, { sealed_under: sealed.keyId, sealed_key: sealed.bytes });
      rewrapped += 1;
    }
    return { rewrapped, unreadable: 0 };
  });
}

interface OpenedKey {
  readonly keyId: string;
  readonly purpose: string;
  readonly activeFrom: number;
  readonly retiredAt: number | null;
  readonly key: Secret;
}

function openAll(rows: readonly OauthKeyRow[], secrets: SecretBox): OpenedKey[] {
  return rows.flatMap((row) => {
    const key = openKey(row, secrets);
    const { key_id: keyId, purpose, active_from: activeFrom, retired_at: retiredAt } = row;
    return key ? [{ keyId, purpose, activeFrom, retiredAt, key }] : [];
  });
}

function openKey(row: OauthKeyRow, secrets: SecretBox): Secret | undefined {
  return secrets.open({ keyId: row.sealed_under, bytes: row.sealed_key }, bindingOf(row.key_id));
}

function bindingOf(keyId: string): string[] {
  return ['oauth_keys', keyId];
}

/** The newest key that has begun. */
function findActive(keys: readonly OpenedKey[], purpose: Purpose, nowMs: number): OpenedKey | undefined {
  return keys.find((key) => key.purpose === purpose && key.activeFrom <= nowMs);
}

/** Whether the next key must be announced now. */
function isDue(rows: readonly OauthKeyRow[], purpose: Purpose, nowMs: number): boolean {
  const newest = rows.find((row) => row.purpose === purpose);
  return newest === undefined || nowMs >= newest.active_from + ACTIVE_MS - ANNOUNCED_MS;
}

async function createKey(
  tx: Queries,
  wanted: { secrets: SecretBox; purpose: Purpose; nowMs: number; activeFrom: number },
): Promise<OauthKeyRow> {
  const { secrets, purpose, nowMs, activeFrom } = wanted;
  const { keyId, key } = generate(purpose);
  const sealed = secrets.seal(key, bindingOf(keyId));
  const row: OauthKeyRow = {
    key_id: keyId,
    purpose,
    sealed_under: sealed.keyId,
    sealed_key: sealed.bytes,
    created_at: nowMs,
    active_from: activeFrom,
    retired_at: null,
  };
  await keyStore.create(tx, row);
  return row;
}

function generate(purpose: Purpose): { keyId: string; key: Secret } {
  if (purpose === 'cookies') {
    return { keyId: randomBytes(12).toString('hex'), key: new Secret(randomBytes(32).toString('base64url')) };
  }
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  // RFC 7638.
  const { crv, kty, x, y } = jwk;
  const keyId = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { keyId, key: new Secret(JSON.stringify({ ...jwk, kid: keyId, use: 'sig', alg: 'ES256' })) };
}

/** The active key comes first: it signs. Then the next one, and those that only verify. */
function toKeySet(keys: readonly OpenedKey[], nowMs: number): OauthKeySet {
  const of = (purpose: Purpose) => {
    const active = findActive(keys, purpose, nowMs);
    const all = keys.filter(
      (key) => key.purpose === purpose && (key.retiredAt ?? nowMs) > nowMs - RETIRED_MS,
    );
    return [...(active ? [active] : []), ...all.filter((key) => key !== active)];
  };
  const [signing, cookies] = [of('signing'), of('cookies')];
  return {
    signing: signing.map(({ key }) => JSON.parse(key.reveal()) as JsonWebKey),
    cookies: cookies.map(({ key }) => key.reveal()),
    version: [...signing, ...cookies].map(({ keyId }) => keyId).join(' '),
  };
}

function toMemoryKeys(): OauthKeySet {
  return {
    signing: [JSON.parse(generate('signing').key.reveal()) as JsonWebKey],
    cookies: [generate('cookies').key.reveal()],
    version: 'memory',
  };
}
