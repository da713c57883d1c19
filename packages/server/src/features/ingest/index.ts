export { EventWriter } from './event-writer.ts';
export { ingestRoutes } from './ingest-routes.ts';
export { IngestService } from './ingest-service.ts';
