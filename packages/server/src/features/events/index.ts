export { toDerivationSettings } from './derive/derivation-settings.ts';
export { eventRoutes } from './event-routes.ts';
export { EventService } from './event-service.ts';
export { EventWriter } from './ingest/event-writer.ts';
