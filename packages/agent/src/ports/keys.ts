import type { SignatureAlgorithm } from '@tps/signatures';

/** The key that a device signs with. The private half may be in hardware; it is never printed or serialised. */
export interface DeviceKey {
  readonly algorithm: SignatureAlgorithm;
  /** The public half as the API takes it: SubjectPublicKeyInfo in DER, standard base64. */
  readonly publicKeyB64: string;
  /** Signs in the form of RFC 9421 §3.3: ECDSA as `r` followed by `s`, RSA-PSS with a salt of 64 bytes. */
  readonly sign: (bytes: Uint8Array) => Promise<Uint8Array>;
}

/**
 * The keys of one device: the key that signs requests, and the storage key that wraps the data keys of the local store.
 * A platform with a hardware key store can implement this without exposing either key.
 *
 * Any method may reject with a KeyError: `unavailable` while the key store is locked, `wrong_key` when the wrapped
 * data key was not created by this key store.
 */
export interface DeviceKeys {
  /** Returns cryptographically secure random bytes. */
  randomBytes(count: number): Uint8Array;
  /** Returns the SHA-256 of the UTF-8 bytes, in lower-case hex. */
  sha256Hex(text: string): string;

  /** Returns the key that signs requests now. */
  signingKey(): Promise<DeviceKey>;
  /**
   * Returns the key that an unfinished rotation wants to activate, if there is one. It is stored durably, so that after a
   * crash the agent can find out which of the two keys the service knows.
   */
  stagedSigningKey(): Promise<DeviceKey | undefined>;
  /** Creates and durably stores the key that a rotation wants to activate. */
  stageSigningKey(algorithm: DeviceKey['algorithm']): Promise<DeviceKey>;
  /** Replaces the current signing key with the staged one, or discards the staged one. Durable. */
  settleSigningKey(outcome: 'promote' | 'discard'): Promise<void>;

  /** Creates a data key. `wrapped` is the same key under the current storage key, to store beside what it encrypts. */
  createDataKey(): Promise<{ dataKey: DataKey; wrapped: Uint8Array }>;
  /** Unwraps a data key with the current storage key or an earlier one that is still kept. */
  unwrapDataKey(wrapped: Uint8Array): Promise<DataKey>;
  /** Creates a new storage key for wrapping. Earlier ones are kept for unwrapping until `forgetOldStorageKeys`. */
  rotateStorageKey(): Promise<void>;
  /** Wraps a data key again, under the current storage key. */
  rewrapDataKey(wrapped: Uint8Array): Promise<Uint8Array>;
  /** Destroys every storage key except the current one. */
  forgetOldStorageKeys(): Promise<void>;
}

/** AES-256-GCM under one key, which never leaves this object. */
export interface DataKey {
  /** Returns the ciphertext and the 16-byte tag. The caller must not repeat a nonce (12 bytes) under one key. */
  seal(nonce: Uint8Array, plaintext: Uint8Array, additionalData: Uint8Array): Promise<Uint8Array>;
  /** Returns the plaintext, or undefined when any input was changed. */
  open(nonce: Uint8Array, sealed: Uint8Array, additionalData: Uint8Array): Promise<Uint8Array | undefined>;
  /** Drops the key, and overwrites it where possible. Nothing can be sealed or opened afterwards. */
  destroy(): void;
}

/** Why a key cannot be used. `unavailable` can resolve without intervention. */
export type KeyErrorCode = 'unavailable' | 'wrong_key' | 'damaged' | 'missing';

/** A failure of the key store. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
  readonly code: KeyErrorCode;

  constructor(code: KeyErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
