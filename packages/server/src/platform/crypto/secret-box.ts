import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { deriveKey } from './derive-key.ts';
import { Secret } from './secret.ts';

/** A secret as it is stored: the id of its key; nonce, ciphertext and tag in one. */
export interface SealedSecret {
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'stored-secrets';
/** Prefix of the id of every key that exists in one process only. */
export const MEMORY_PREFIX = 'memory-';

/**
 * Encrypts secrets for the store with AES-256-GCM, under a key derived from the service's master key. Each secret
 * is bound to its row: it does not open in another row or tenant. Without a master key, secrets are sealed under a
 * key that exists in this process only, so they cannot be opened after the process has ended.
 */
export class SecretBox {
  /** Id of the key that seals new secrets. */
  readonly keyId: string;
  /** `memory` when the key exists only as long as the process. */
  readonly persistence: 'persistent' | 'memory';
  readonly #keys: ReadonlyMap<string, Buffer>;

  constructor(options: {
    masterKey: Secret<Buffer> | undefined;
    previousKey?: Secret<Buffer> | undefined;
  }) {
    const { masterKey, previousKey } = options;
    const current = masterKey ? toKey(masterKey) : toMemoryKey();
    this.persistence = masterKey ? 'persistent' : 'memory';
    this.keyId = current.id;
    const keys = [...(previousKey ? [toKey(previousKey)] : []), current];
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** Ids of all keys that this process can open secrets with. */
  get keyIds(): string[] {
    return [...this.#keys.keys()];
  }

  /** Encrypts a secret for the row named by `binding`. */
  seal(secret: Secret, binding: readonly string[]): SealedSecret {
    const key = this.#keys.get(this.keyId);
    if (!key) throw new Error('the current key is missing');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(toAdditionalData(this.keyId, binding));
    const ciphertext = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()]);
    return { keyId: this.keyId, bytes: Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]) };
  }

  /** Decrypts a secret of the row named by `binding`. Returns undefined when no key of this process opens it. */
  open({ keyId, bytes }: SealedSecret, binding: readonly string[]): Secret | undefined {
    const key = this.#keys.get(keyId);
    if (!key || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(toAdditionalData(keyId, binding));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return new Secret(Buffer.concat([text, decipher.final()]).toString('utf8'));
    } catch {
      return undefined;
    }
  }
}

/** Returns whether a secret was sealed by a process without a master key. */
export function isMemoryKey(keyId: string): boolean {
  return keyId.startsWith(MEMORY_PREFIX);
}

/** The id identifies a key and reveals nothing about it: id and key are derived for different purposes. */
function toKey(master: Secret<Buffer>): { id: string; key: Buffer } {
  const fingerprint = createHash('sha256').update(deriveKey(master.reveal(), `${PURPOSE}-id`));
  return { id: fingerprint.digest('hex').slice(0, 16), key: deriveKey(master.reveal(), PURPOSE) };
}

function toMemoryKey(): { id: string; key: Buffer } {
  return { id: `${MEMORY_PREFIX}${randomBytes(8).toString('hex')}`, key: randomBytes(32) };
}

function toAdditionalData(keyId: string, binding: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([keyId, ...binding]));
}
