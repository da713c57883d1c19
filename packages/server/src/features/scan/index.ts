export * as scanStore from './scan-store.ts';
export { knownThreatOf } from './tenant-findings.ts';
