import {
  cancelJob,
  countJobs,
  createJob,
  getJob,
  listAuditOfJob,
  listJobAudit,
  listJobs,
  reviewJob,
} from '@tps/contract';
import { oncePerKey } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { type Exchange, type Route, route } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import { notFound } from '../../platform/service-error.ts';
import { type AuditFilter, readAuditOf } from '../audit/index.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { toJob } from './job.ts';
import type { JobService } from './job-service.ts';
import * as jobStore from './job-store.ts';
import { traceRoutes } from './traces/trace-routes.ts';

export function jobRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  clock: Clock;
  jobs: JobService;
}): Route[] {
  const { database, cursors, clock, jobs } = parts;
  const { read } = database;
  return [
    route(listJobs, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listJobs.path, query },
        read: (page) => jobStore.list(read, tenantId, { filter: toJobFilter(query), page }),
        keyOf: (job) => [job.jobId],
        toItem: (job) => toJob(tenantId, job),
      }),
    })),

    route(countJobs, async ({ tenantId, query }) => {
      const { interval } = query;
      const filter = toJobFilter(query);
      return { status: 200, body: await jobStore.countOverTime(read, tenantId, { filter, interval }) };
    }),

    route(createJob, async (exchange) => {
      const { tenantId } = exchange;
      const wanted = exchange.body();
      const reply = await database.transaction(exchange, (tx) =>
        oncePerKey(tx, {
          exchange,
          nowMs: clock.now(),
          work: async () => {
            const job = await jobs.create(tx, wanted, exchange);
            return { status: 201, location: `/jobs/${job.jobId}`, body: toJob(tenantId, job) };
          },
          forRepeat: ({ body }) => body,
        }),
      );
      jobs.wake();
      return reply;
    }),

    route(getJob, async ({ tenantId, id }) => {
      const job = await jobStore.find(read, tenantId, id);
      if (!job) throw notFound('job');
      return { status: 200, body: toJob(tenantId, job) };
    }),

    route(cancelJob, async (exchange) => {
      const { tenantId, id } = exchange;
      const { comment } = exchange.body();
      const job = await jobs.cancel(tenantId, id, { comment, request: exchange });
      return { status: 200, body: toJob(tenantId, job) };
    }),

    route(reviewJob, async (exchange) => {
      const { tenantId, id } = exchange;
      const review = exchange.body();
      return {
        status: 200,
        body: toJob(tenantId, await jobs.review(tenantId, id, { review, request: exchange })),
      };
    }),

    ...auditRoutes({ database, cursors }),
    ...traceRoutes({ database, cursors }),
  ];
}

function auditRoutes({ database, cursors }: { database: RequestDatabase; cursors: CursorCodec }): Route[] {
  const { read } = database;
  return [
    route(listJobAudit, async ({ tenantId, query }) => ({
      status: 200,
      body: await readAuditOf(
        { read, cursors },
        { tenantId, route: listJobAudit.path, query },
        toFilter(query),
      ),
    })),

    route(listAuditOfJob, async ({ tenantId, id, query }) => {
      if (!(await jobStore.find(read, tenantId, id))) throw notFound('job');
      const request = { tenantId, route: `${listAuditOfJob.path}#${id}`, query };
      const filter = { ...toFilter(query), resourceId: id };
      return { status: 200, body: await readAuditOf({ read, cursors }, request, filter) };
    }),
  ];
}

/** `reviewed_by` matches reviews only, not the creation or cancellation of a job by the same person. */
function toFilter(query: { action?: string; reviewed_by?: string }): AuditFilter {
  return {
    actionPrefix: query.reviewed_by === undefined ? 'job.' : 'job.review.',
    action: query.action,
    actorId: query.reviewed_by,
  };
}

/** Reads the filters of the list, which a bulk change has too. */
export function toJobFilter(query: Exchange<typeof countJobs>['query']): jobStore.JobFilter {
  return {
    status: toAnyOf(query.status),
    inputRef: toAnyOf(query.input_ref),
    created: toTimeRange(query),
  };
}
