import type { Feature, SharedParts } from '../feature.ts';
import { registerIncidentMetrics } from './incident-metrics.ts';
import { incidentRoutes } from './incident-routes.ts';
import { IncidentService } from './incident-service.ts';

export function incidentsFeature({ database, requests, clock, cursors, metrics }: SharedParts): Feature {
  registerIncidentMetrics(metrics, database);
  const incidents = new IncidentService({ database: requests, clock });
  return { routes: incidentRoutes({ database: requests, cursors, incidents }) };
}
