import { bytesEqual, concatBytes } from '../../encoding/bytes.ts';
import { type DataKey, KeyError } from '../../ports/keys.ts';

const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const AES = { name: 'AES-GCM', length: 256 } as const;

/** A key that wraps data keys. It cannot leave the browser's key store. */
export interface StorageKey {
  /** 8 random bytes. */
  readonly id: Uint8Array<ArrayBuffer>;
  readonly key: CryptoKey;
}

/** The current storage key first. */
export type StorageKeys = readonly [StorageKey, ...StorageKey[]];

export async function createStorageKey(): Promise<StorageKey> {
  const key = await crypto.subtle.generateKey(AES, false, ['wrapKey', 'unwrapKey']);
  return { id: crypto.getRandomValues(new Uint8Array(KEY_ID_BYTES)), key };
}

/** Creates a data key, and wraps it. */
export async function createDataKey(keys: StorageKeys): Promise<{ dataKey: DataKey; wrapped: Uint8Array }> {
  // Only a key that can be exported can be wrapped. The one in use is the unwrapped one, which cannot.
  const exportable = await crypto.subtle.generateKey(AES, true, ['encrypt', 'decrypt']);
  const wrapped = await wrap(keys[0], exportable);
  return { dataKey: await unwrapDataKey(keys, wrapped), wrapped };
}

/** Unwraps a data key. @throws KeyError `wrong_key` when none of the keys wrapped it, `damaged` when it was changed */
export async function unwrapDataKey(keys: StorageKeys, wrapped: Uint8Array): Promise<DataKey> {
  return toDataKey(await unwrap(keys, wrapped, { isExportable: false }));
}

/** Wraps a data key under the current storage key. Returns the same bytes if that key wrapped them. */
export async function rewrapDataKey(keys: StorageKeys, wrapped: Uint8Array): Promise<Uint8Array> {
  const dataKey = await unwrap(keys, wrapped, { isExportable: true });
  return bytesEqual(wrapped.subarray(0, KEY_ID_BYTES), keys[0].id) ? wrapped : wrap(keys[0], dataKey);
}

/** Returns id of the storage key · nonce · encrypted data key · tag. Random nonces are safe here: few keys are ever wrapped. */
async function wrap({ id, key }: StorageKey, dataKey: CryptoKey): Promise<Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.wrapKey('raw', dataKey, key, { ...AES, iv, additionalData: id });
  return concatBytes([id, iv, new Uint8Array(sealed)]);
}

async function unwrap(
  keys: StorageKeys,
  wrapped: Uint8Array,
  { isExportable }: { isExportable: boolean },
): Promise<CryptoKey> {
  const id = wrapped.slice(0, KEY_ID_BYTES);
  const storageKey = keys.find((each) => bytesEqual(each.id, id));
  if (storageKey === undefined) {
    throw new KeyError('wrong_key', 'The data key was not wrapped by a storage key of this device');
  }
  const iv = wrapped.slice(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
  const sealed = wrapped.slice(KEY_ID_BYTES + NONCE_BYTES);
  const params = { ...AES, iv, additionalData: id };
  const usages: KeyUsage[] = ['encrypt', 'decrypt'];
  try {
    return await crypto.subtle.unwrapKey('raw', sealed, storageKey.key, params, AES, isExportable, usages);
  } catch (cause) {
    throw new KeyError('damaged', 'The wrapped data key was changed', { cause });
  }
}

function toDataKey(key: CryptoKey): DataKey {
  let current: CryptoKey | undefined = key;
  const usable = () => {
    if (current === undefined) throw new KeyError('missing', 'The data key was destroyed');
    return current;
  };
  return {
    async seal(nonce, plaintext, additionalData) {
      const params = { ...AES, iv: nonce.slice(), additionalData: additionalData.slice() };
      return new Uint8Array(await crypto.subtle.encrypt(params, usable(), plaintext.slice()));
    },
    async open(nonce, sealed, additionalData) {
      const params = { ...AES, iv: nonce.slice(), additionalData: additionalData.slice() };
      const usableKey = usable();
      return crypto.subtle.decrypt(params, usableKey, sealed.slice()).then(
        (plaintext) => new Uint8Array(plaintext),
        () => undefined,
      );
    },
    destroy() {
      current = undefined;
    },
  };
}
