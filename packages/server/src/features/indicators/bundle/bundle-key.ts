import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { keyIdOf } from '@tps/detection/indicators';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Secret } from '../../../platform/crypto/secret.ts';
import type { SealedSecret, SecretBox } from '../../../platform/crypto/secret-box.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import { auditStore, COMMAND_LINE } from '../../audit/index.ts';
import * as bundleKeyStore from './bundle-key-store.ts';

interface Parts {
  readonly database: Database;
  readonly secrets: SecretBox;
}

/** The Ed25519 key with which the service signs bundles. */
export interface SigningKey {
  readonly keyid: string;
  /** SPKI DER. */
  readonly publicKeyB64: string;
  readonly privateKey: KeyObject;
}

/** Binds the sealed key to its row: sealed bytes of another row cannot be opened in its place. */
const BINDING = ['service_settings', 'indicator_bundle_key'];
const UNREADABLE =
  'The signing key for indicator bundles cannot be read: it is sealed under another master key. Set ' +
  'SERVICE_SECRET_KEY_B64 or SERVICE_SECRET_KEY_B64_PREVIOUS to that master key, or create a new signing key with ' +
  '"indicators renew-key" and configure devices to trust it.';

/**
 * Holds the key that signs bundles. It is created at first use and stored sealed under the master key, so that all nodes
 * and later starts use the same one. Without a master key it is never stored and is lost when the process ends.
 */
export class BundleKey {
  readonly #parts: Parts;
  #key: Promise<SigningKey> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws ServiceError `unavailable` if the stored key cannot be opened */
  get(): Promise<SigningKey> {
    this.#key ??= this.#open().catch((error: unknown) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }

  async #open(): Promise<SigningKey> {
    const { database, secrets } = this.#parts;
    if (secrets.persistence === 'memory') return toSigningKey(generateKeyPairSync('ed25519').privateKey);
    let sealed = await bundleKeyStore.find(database.read);
    if (!sealed) {
      const fresh = sealNew(secrets);
      sealed = await database.transaction(async (tx) => {
        await bundleKeyStore.create(tx, fresh);
        return (await bundleKeyStore.find(tx)) ?? fresh;
      });
    }
    const opened = secrets.open(sealed, BINDING);
    if (!opened)
      throw new ServiceError('unavailable', 'The signing key for indicator bundles cannot be read.');
    return toSigningKey(toPrivateKey(opened));
  }
}

/**
 * Checks that the stored key, if any, can be opened.
 * @throws Error that explains what to do; it contains no secret
 */
export async function checkBundleKey({
  database,
  secrets,
}: Omit<Parts, 'database'> & { readonly database: Pick<Database, 'read'> }): Promise<void> {
  const sealed = await bundleKeyStore.find(database.read);
  if (sealed && !secrets.open(sealed, BINDING)) throw new Error(UNREADABLE);
}

/** Seals the stored key under the current master key. Counts it, if there is one, unless it is under that key already. */
export async function rewrapBundleKey({
  database,
  secrets,
}: Parts): Promise<{ rewrapped: number; unreadable: number }> {
  return database.transaction(async (tx) => {
    const sealed = await bundleKeyStore.find(tx);
    if (!sealed || sealed.keyId === secrets.keyId) return { rewrapped: 0, unreadable: 0 };
    const opened = secrets.open(sealed, BINDING);
    if (!opened) return { rewrapped: 0, unreadable: 1 };
    await bundleKeyStore.save(tx, secrets.seal(opened, BINDING));
    return { rewrapped: 1, unreadable: 0 };
  });
}

/** Replaces the stored key with a new one. Running services use the old key until they are restarted. */
export async function renewBundleKey({
  database,
  secrets,
  clock,
}: Parts & { clock: Clock }): Promise<string> {
  if (secrets.persistence === 'memory') {
    throw new Error('SERVICE_SECRET_KEY_B64 is not set. Without it, each start creates its own key.');
  }
  const sealed = sealNew(secrets);
  const opened = secrets.open(sealed, BINDING);
  if (!opened) throw new Error(UNREADABLE);
  const { keyid } = toSigningKey(toPrivateKey(opened));
  await database.transaction(async (tx) => {
    await bundleKeyStore.save(tx, sealed);
    await auditStore.append(
      tx,
      {
        tenantId: null,
        actor: COMMAND_LINE,
        action: 'indicator.renew_key',
        outcome: 'success',
        resource: { type: 'bundle_key', id: keyid },
        requestId: null,
        detail: 'Signing key for indicator bundles replaced',
        fields: {},
      },
      clock.now(),
    );
  });
  return keyid;
}

function sealNew(secrets: SecretBox): SealedSecret {
  const { privateKey } = generateKeyPairSync('ed25519');
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  return secrets.seal(new Secret(der.toString('base64')), BINDING);
}

function toPrivateKey(opened: Secret): KeyObject {
  return createPrivateKey({ key: Buffer.from(opened.reveal(), 'base64'), type: 'pkcs8', format: 'der' });
}

function toSigningKey(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { keyid: keyIdOf(publicKey), publicKeyB64: der.toString('base64'), privateKey };
}
