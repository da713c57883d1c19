import type { Feature, SharedParts } from '../feature.ts';
import { dataRequestRoutes } from './data-request-routes.ts';
import { DataRequestService } from './data-request-service.ts';
import { DataRequestWorker } from './data-request-worker.ts';

/** Export and deletion of what is kept about a device or a person. */
export function dataRequestsFeature({ database, requests, clock, logger, cursors }: SharedParts): Feature {
  const worker = new DataRequestWorker({ database, clock, logger });
  const dataRequests = new DataRequestService({ clock, wake: () => worker.wake() });
  return {
    routes: dataRequestRoutes({ database: requests, clock, cursors, dataRequests }),
    loops: [worker],
  };
}
