import type { DeviceCredential } from '@tps/contract';
import { bytesEqual, concatBytes, decodeText, encodeText, toDataView } from '../encoding/bytes.ts';
import { type DeviceKeys, KeyError } from '../ports/keys.ts';
import { type AgentStorage, StorageError } from '../ports/storage.ts';

export const CREDENTIAL_FILE = 'credential';
const LIMIT_BYTES = 8 * 1024;
const NONCE_BYTES = 12;
const CONTEXT = encodeText('tps device credential');

interface Ports {
  readonly storage: AgentStorage;
  readonly keys: DeviceKeys;
}

/**
 * The credential that the service gave this device when it enrolled. It is stored encrypted, under a separate data
 * key, and replaced in one step: after a crash either the old one or the new one is there, and both are still valid.
 */
export class OwnCredential {
  readonly #ports: Ports;
  #current: DeviceCredential;

  private constructor(ports: Ports, current: DeviceCredential) {
    this.#ports = ports;
    this.#current = current;
  }

  /** Opens the stored credential; undefined when the device has none. @throws KeyError, StorageError */
  static async open(ports: Ports): Promise<OwnCredential | undefined> {
    const stored = await ports.storage.read(CREDENTIAL_FILE, LIMIT_BYTES).catch((error: unknown) => {
      if (error instanceof StorageError && error.code === 'missing') return undefined;
      throw error;
    });
    if (stored === undefined) return undefined;
    const { wrapped, nonce, sealed } = decode(stored);
    const dataKey = await ports.keys.unwrapDataKey(wrapped);
    const plaintext = await dataKey.open(nonce, sealed, CONTEXT);
    dataKey.destroy();
    const credential = plaintext && parseCredential(tryParse(decodeText(plaintext)));
    if (credential === undefined) throw damaged();
    return new OwnCredential(ports, credential);
  }

  static async exists(storage: AgentStorage): Promise<boolean> {
    return (await storage.list()).some(({ name }) => name === CREDENTIAL_FILE);
  }

  /** Stores the first credential of a device, or replaces it. */
  static async create(ports: Ports, credential: DeviceCredential): Promise<OwnCredential> {
    const own = new OwnCredential(ports, credential);
    await own.replace(credential);
    return own;
  }

  get token(): string {
    return this.#current.token;
  }

  get expiresAt(): string {
    return this.#current.expires_at;
  }

  isDue(nowMs: number): boolean {
    return nowMs >= Date.parse(this.#current.renew_at);
  }

  hasExpired(nowMs: number): boolean {
    return nowMs >= Date.parse(this.#current.expires_at);
  }

  /** Stores the next credential, and then uses it. */
  async replace(next: DeviceCredential): Promise<void> {
    const { storage, keys } = this.#ports;
    const { dataKey, wrapped } = await keys.createDataKey();
    const nonce = keys.randomBytes(NONCE_BYTES);
    const sealed = await dataKey.seal(nonce, encodeText(JSON.stringify(next)), CONTEXT);
    dataKey.destroy();
    await storage.replace(CREDENTIAL_FILE, encode({ wrapped, nonce, sealed }));
    this.#current = next;
  }
}

/** Wraps the data key of a stored credential under the current storage key, also while the application brings another. */
export async function rewrapCredential({ storage, keys }: Ports): Promise<void> {
  if (!(await OwnCredential.exists(storage))) return;
  const stored = decode(await storage.read(CREDENTIAL_FILE, LIMIT_BYTES));
  const wrapped = await keys.rewrapDataKey(stored.wrapped);
  if (!bytesEqual(wrapped, stored.wrapped))
    await storage.replace(CREDENTIAL_FILE, encode({ ...stored, wrapped }));
}

/** Parses a credential as the service sends it. Undefined when it does not have the expected form. */
export function parseCredential(content: unknown): DeviceCredential | undefined {
  const { token_id, token, expires_at, renew_at } = (content ?? {}) as Partial<
    Record<keyof DeviceCredential, unknown>
  >;
  const isValid =
    typeof token_id === 'string' &&
    typeof token === 'string' &&
    /^svc_[a-z]+_[0-9A-Za-z]{8,200}$/.test(token) &&
    isTime(expires_at) &&
    isTime(renew_at);
  return isValid ? { token_id, token, expires_at, renew_at } : undefined;
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function damaged(): KeyError {
  return new KeyError('damaged', 'The credential of the device is damaged: enrol the device again.');
}

interface SealedFile {
  readonly wrapped: Uint8Array;
  readonly nonce: Uint8Array;
  readonly sealed: Uint8Array;
}

/** Length of the wrapped key in two bytes · wrapped key · nonce · ciphertext and tag. */
function encode({ wrapped, nonce, sealed }: SealedFile): Uint8Array {
  const length = new Uint8Array(2);
  toDataView(length).setUint16(0, wrapped.length);
  return concatBytes([length, wrapped, nonce, sealed]);
}

function decode(bytes: Uint8Array): SealedFile {
  if (bytes.length < 2) throw damaged();
  const nonceAt = 2 + toDataView(bytes).getUint16(0);
  return {
    wrapped: bytes.subarray(2, nonceAt),
    nonce: bytes.subarray(nonceAt, nonceAt + NONCE_BYTES),
    sealed: bytes.subarray(nonceAt + NONCE_BYTES),
  };
}
