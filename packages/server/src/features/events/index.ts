export { toDerivationSettings } from './derive/derivation-settings.ts';
export {
  brokenChainMessage,
  campaignMessage,
  correctionMessage,
  deviceMessage,
  openedMessage,
} from './derive/incident-texts.ts';
export {
  createEventCounter,
  type EventCounter,
  registerEventGauges,
  registerWriterMetrics,
} from './event-metrics.ts';
export { AppendThread, type AppendThreadOptions } from './ingest/append-thread.ts';
export { EventWriter } from './ingest/event-writer.ts';
export { EventStreams } from './stream/event-streams.ts';
