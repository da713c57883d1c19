import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createWebCryptoKeys, openWebCryptoKeys } from '../keys/web-crypto-keys.ts';
import { openIndexedDbStorage } from '../storage/indexed-db-storage.ts';

let databases = 0;

export function sha256Hex(text: string): string {
  return bytesToHex(sha256(text));
}

/** In the place of `testing/store-ground.ts`: a device's database and keys, on which a test opens stores. */
export async function storeGround() {
  databases += 1;
  const database = `device-${databases}`;
  const keys = await createWebCryptoKeys({ database, algorithm: 'ed25519' });
  return {
    keys,
    openKeys: () => openWebCryptoKeys({ database }),
    openStorage: () => openIndexedDbStorage({ database, area: 'store' }),
    openStorageAt: (name: string) => openIndexedDbStorage({ database, area: name }),
  };
}
