import { createPrivateKey, hash, randomBytes } from 'node:crypto';
import type { SignatureAlgorithm } from '@tps/signatures';
import type { DeviceKey } from '../../ports/keys.ts';
import { type DeviceKeys, KeyError } from '../../ports/keys.ts';
import {
  createKeyFile,
  type KeyFileContent,
  readKeyFile,
  type StoredSigningKey,
  writeKeyFile,
} from './key-file.ts';
import { createStorageKey, KEY_BYTES, toDataKey, unwrap, wrap } from './key-wrapping.ts';
import { deviceKeyFrom, generateDeviceKey } from './software-key.ts';

/** Where the keys of a device are stored. */
export interface FileDeviceKeysOptions {
  /**
   * The key file. Keep it outside the storage's directory, so that a copy of the data does not include the key. The agent
   * uses `<directory>/keys.json` beside `<directory>/store/`.
   */
  readonly path: string;
}

/**
 * Creates the keys of a new device, in one file that only its owner can read.
 * @throws KeyError `unavailable` when the file exists: it is never overwritten
 */
export async function createDeviceKeys(
  options: FileDeviceKeysOptions & { readonly algorithm: SignatureAlgorithm },
): Promise<DeviceKeys> {
  const signing = await generateStored(options.algorithm);
  await createKeyFile(options.path, { signing, staged: undefined, storage: [createStorageKey()] });
  return openDeviceKeys(options);
}

/** Opens the keys of a device. @throws KeyError `missing`, `damaged`, or `unavailable` when others can read the file */
export async function openDeviceKeys({ path }: FileDeviceKeysOptions): Promise<DeviceKeys> {
  return new FileDeviceKeys(path, await readKeyFile(path));
}

class FileDeviceKeys implements DeviceKeys {
  readonly #path: string;
  #content: KeyFileContent;

  constructor(path: string, content: KeyFileContent) {
    this.#path = path;
    this.#content = content;
  }

  randomBytes(count: number): Uint8Array {
    return randomBytes(count);
  }

  sha256Hex(text: string): string {
    return hash('sha256', text);
  }

  async signingKey(): Promise<DeviceKey> {
    return this.#toDeviceKey(this.#content.signing);
  }

  async stagedSigningKey(): Promise<DeviceKey | undefined> {
    const { staged } = this.#content;
    return staged && this.#toDeviceKey(staged);
  }

  async stageSigningKey(algorithm: SignatureAlgorithm): Promise<DeviceKey> {
    const staged = await generateStored(algorithm);
    await this.#write({ ...this.#content, staged });
    return this.#toDeviceKey(staged);
  }

  async settleSigningKey(result: 'promote' | 'discard'): Promise<void> {
    const { staged, signing } = this.#content;
    if (staged !== undefined) {
      const next = result === 'promote' ? staged : signing;
      await this.#write({ ...this.#content, signing: next, staged: undefined });
    }
  }

  async createDataKey() {
    const secret = randomBytes(KEY_BYTES);
    return { dataKey: toDataKey(secret), wrapped: wrap(this.#content.storage[0], secret) };
  }

  async unwrapDataKey(wrapped: Uint8Array) {
    return toDataKey(unwrap(this.#content.storage, wrapped));
  }

  async rotateStorageKey(): Promise<void> {
    await this.#write({ ...this.#content, storage: [createStorageKey(), ...this.#content.storage] });
  }

  /** Returns the same bytes if the current key wrapped them. */
  async rewrapDataKey(wrapped: Uint8Array): Promise<Uint8Array> {
    const [current] = this.#content.storage;
    const dataKey = unwrap(this.#content.storage, wrapped);
    const isCurrent = Buffer.from(wrapped.subarray(0, current.id.length / 2)).toString('hex') === current.id;
    const rewrapped = isCurrent ? wrapped : wrap(current, dataKey);
    dataKey.fill(0);
    return rewrapped;
  }

  async forgetOldStorageKeys(): Promise<void> {
    const [current, ...earlier] = this.#content.storage;
    await this.#write({ ...this.#content, storage: [current] });
    for (const { secret } of earlier) {
      secret.fill(0);
    }
  }

  async #write(content: KeyFileContent): Promise<void> {
    await writeKeyFile(this.#path, content);
    this.#content = content;
  }

  #toDeviceKey({ algorithm, pkcs8 }: StoredSigningKey): DeviceKey {
    try {
      const key = createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
      return deviceKeyFrom(key, algorithm);
    } catch {
      // The error could quote the key, so it is not passed on.
      throw new KeyError('damaged', `The signing key in ${this.#path} is damaged`);
    }
  }
}

async function generateStored(algorithm: SignatureAlgorithm): Promise<StoredSigningKey> {
  const { privateKey } = await generateDeviceKey(algorithm);
  return { algorithm, pkcs8: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64') };
}
