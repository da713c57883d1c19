import type { DeviceKey } from '../node/keys/software-key.ts';

/**
 * The keys of one device: one it signs requests with, and one that wraps the data keys of the local store. A platform
 * with a key store in hardware implements this without ever giving either key away.
 *
 * Any method may reject with a KeyError: `unavailable` while the key store is locked, `wrong_key` when what it is asked
 * to open was not made by it.
 */
export interface DeviceKeys {
  /** Fresh random bytes, fit for keys. */
  randomBytes(count: number): Uint8Array;
  /** Lower-case hex SHA-256 of the UTF-8 bytes. */
  sha256Hex(text: string): string;

  /** The key that signs requests now. */
  signingKey(): Promise<DeviceKey>;
  /**
   * The key that a rotation is about to put in place, if one is under way. Stored durably, so that after a crash it
   * can be found out which of the two the service knows.
   */
  stagedSigningKey(): Promise<DeviceKey | undefined>;
  /** Makes and durably stores the key that a rotation is about to put in place. */
  stageSigningKey(algorithm: DeviceKey['algorithm']): Promise<DeviceKey>;
  /** Puts the staged key in place of the present one, or forgets it. Durable. */
  settleSigningKey(outcome: 'promote' | 'discard'): Promise<void>;

  /** Makes a data key, and the same wrapped under the present storage key, to be stored beside what it encrypts. */
  createDataKey(): Promise<{ dataKey: DataKey; wrapped: Uint8Array }>;
  /** Opens a wrapped data key, under the present storage key or an earlier one that is still kept. */
  unwrapDataKey(wrapped: Uint8Array): Promise<DataKey>;
  /** Makes a new storage key for wrapping. Earlier ones are kept for unwrapping until `forgetOldStorageKeys`. */
  rotateStorageKey(): Promise<void>;
  /** Wraps a data key anew, under the present storage key. */
  rewrapDataKey(wrapped: Uint8Array): Promise<Uint8Array>;
  /** Destroys every storage key but the present one. */
  forgetOldStorageKeys(): Promise<void>;
}

/** AES-256-GCM under one key, which never leaves this object. */
export interface DataKey {
  /** Gives ciphertext and 16-byte tag. The caller never repeats a nonce of 12 bytes under one key. */
  seal(nonce: Uint8Array, plaintext: Uint8Array, additionalData: Uint8Array): Uint8Array;
  /** Gives the plaintext, or undefined when anything was changed. */
  open(nonce: Uint8Array, sealed: Uint8Array, additionalData: Uint8Array): Uint8Array | undefined;
  /** Overwrites the key. Nothing can be sealed or opened afterwards. */
  destroy(): void;
}

export type KeyErrorCode = 'unavailable' | 'wrong_key' | 'damaged' | 'missing';

export class KeyError extends Error {
  override readonly name = 'KeyError';
  readonly code: KeyErrorCode;

  constructor(code: KeyErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
