import type { Feature, SharedParts } from '../feature.ts';
import { RetentionService } from '../maintenance/index.ts';
import { DeletionRequests } from '../tenants/index.ts';
import { settingsRoutes } from './settings-routes.ts';

/** What is in effect for a tenant, and the deletion that its admins request. */
export function settingsFeature({ config, version, database, requests, clock }: SharedParts): Feature {
  return {
    routes: settingsRoutes({
      ...{ database: requests, config, version },
      retention: new RetentionService({ database, clock, config: config.retention }),
      deletions: new DeletionRequests({ database: requests, clock }),
    }),
  };
}
