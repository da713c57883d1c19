import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { deriveKey } from './derive-key.ts';
import { Secret } from './secret.ts';

/** A secret as it is stored: under which key, and the nonce, ciphertext and tag in one. */
export interface SealedSecret {
  readonly keyId: string;
  readonly bytes: Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'stored-secrets';
/** Begins the id of every key that exists in one process only. */
export const MEMORY_PREFIX = 'memory-';

/**
 * Encrypts secrets for the store with AES-256-GCM, under a key derived from the service's master key. Each is bound to
 * the row it belongs to: moved to another row or tenant, it does not open. Without a master key they are sealed under a
 * key that exists in this process only, so that nobody can open them once it has ended.
 */
export class SecretBox {
  /** The key that new secrets are sealed under. */
  readonly keyId: string;
  /** `memory` when the key ends with the process. */
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

  /** Encrypts a secret for the row that `binding` names. */
  seal(secret: Secret, binding: readonly string[]): SealedSecret {
    const key = this.#keys.get(this.keyId);
    if (!key) throw new Error('the box has lost its key');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(toAdditionalData(this.keyId, binding));
    const ciphertext = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()]);
    return { keyId: this.keyId, bytes: Buffer.concat([nonce, ciphertext, cipher.getAuthTag()]) };
  }

  /** Decrypts a secret of the row that `binding` names; undefined when no key of this process opens it there. */
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

/** Whether a secret was sealed under the key of some process without a master key. */
export function isMemoryKey(keyId: string): boolean {
  return keyId.startsWith(MEMORY_PREFIX);
}

/** The id tells keys apart and tells nothing about them: both are derived, for different purposes. */
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
