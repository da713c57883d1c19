import type { DevicePlace } from '../enrolment/enrol.ts';
import type { AgentStorage } from '../ports/storage.ts';
import { createWebCryptoKeys, openWebCryptoKeys } from './keys/web-crypto-keys.ts';
import { openIndexedDbStorage } from './storage/indexed-db-storage.ts';

/** Where a browser keeps a device. */
export interface BrowserPlaceOptions {
  /** The name of the IndexedDB database of the device (default `tps-agent`). */
  readonly database?: string;
}

const DEFAULT_DATABASE = 'tps-agent';

/** A database of the browser as the place of a device. */
export async function openBrowserPlace({
  database = DEFAULT_DATABASE,
}: BrowserPlaceOptions): Promise<DevicePlace & { openIndicatorStorage: () => Promise<AgentStorage> }> {
  return {
    kind: 'database',
    storage: await openIndexedDbStorage({ database, area: 'store' }),
    openKeys: () => openWebCryptoKeys({ database }),
    createKeys: (algorithm) => createWebCryptoKeys({ database, algorithm }),
    openIndicatorStorage: () => openIndexedDbStorage({ database, area: 'indicators' }),
  };
}
