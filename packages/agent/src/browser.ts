/** The agent in a browser: `@tps/agent/browser`. */
export { type BrowserEnrolOptions, enrolBrowserDevice } from './browser/enrol-browser-device.ts';
export {
  createWebCryptoKeys,
  openWebCryptoKeys,
  type WebCryptoKeysOptions,
} from './browser/keys/web-crypto-keys.ts';
export { type BrowserAgentOptions, openBrowserAgent } from './browser/open-browser-agent.ts';
export { type IndexedDbStorageOptions, openIndexedDbStorage } from './browser/storage/indexed-db-storage.ts';
export * from './core.ts';
