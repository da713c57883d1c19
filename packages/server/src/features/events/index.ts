export { toDerivationSettings } from './derive/derivation-settings.ts';
export {
  brokenChainMessage,
  campaignMessage,
  correctionMessage,
  deviceMessage,
  openedMessage,
} from './derive/incident-texts.ts';
export type { AppendThreadOptions } from './ingest/append-thread.ts';
