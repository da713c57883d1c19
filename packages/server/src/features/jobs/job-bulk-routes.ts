import { type BodyOf, changeJobs } from '@tps/contract';
import { type ChangeOne, changeInBulk } from '../../platform/http/bulk.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { type AdmittedRequest, type Route, route } from '../../platform/http/route.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { toJobFilter } from './job-routes.ts';
import type { JobService } from './job-service.ts';
import * as jobStore from './job-store.ts';

export function jobBulkRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  jobs: JobService;
}): Route[] {
  const { database, cursors, jobs } = parts;
  return [
    route(changeJobs, async (exchange) => {
      const { tenantId } = exchange;
      const bulk = exchange.body();
      return {
        status: 200,
        body: await changeInBulk({
          cursors,
          request: { tenantId, route: changeJobs.path },
          selection: bulk,
          list: (filter, page) =>
            jobStore.list(database.read, tenantId, { filter: toJobFilter(filter), page }),
          keyOf: (job) => [job.jobId],
          idOf: (job) => job.jobId,
          change: changeOneOf(jobs, bulk.change, exchange),
        }),
      };
    }),
  ];
}

/** Returns what changes one job. @throws ServiceError `insufficient_scope` for a cancellation without the scope for it */
function changeOneOf(
  jobs: JobService,
  { action, comment }: BodyOf<typeof changeJobs>['change'],
  request: AdmittedRequest,
): ChangeOne<object> {
  const { tenantId } = request;
  if (action === 'cancel') {
    if (!request.caller.scopes.includes('jobs:write')) {
      throw new ServiceError('insufficient_scope', 'Cancelling jobs requires the scope jobs:write');
    }
    return async (id) => {
      await jobs.cancel(tenantId, id, { comment, request });
      return {};
    };
  }
  const review = { decision: action, ...(comment !== undefined && { comment }) };
  return async (id) => {
    await jobs.review(tenantId, id, { review, request });
    return {};
  };
}
