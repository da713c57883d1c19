export { toDerivationSettings } from './derive/derivation-settings.ts';
export { EventWriter } from './ingest/event-writer.ts';
