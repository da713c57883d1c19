import { getArtifact, getTrace, listJobArtifacts, listJobSteps, listTraceSteps } from '@tps/contract';
import type { CursorCodec } from '../../../platform/http/cursors.ts';
import { type ListRequest, readPage } from '../../../platform/http/page.ts';
import { type Reply, type Route, route } from '../../../platform/http/route.ts';
import { notFound } from '../../../platform/service-error.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import * as jobStore from '../job-store.ts';
import * as artifactStore from './artifact-store.ts';
import { toArtifact, toTrace, toTraceStep } from './trace.ts';
import * as traceStore from './trace-store.ts';

/** Routes for the runs of a job: traces, steps and artifacts. */
export function traceRoutes({
  database,
  cursors,
}: {
  database: RequestDatabase;
  cursors: CursorCodec;
}): Route[] {
  const { read } = database;

  const listSteps = async (request: ListRequest, of: traceStore.StepsOf): Promise<Reply> => ({
    status: 200,
    body: await readPage({
      cursors,
      request,
      read: (page) => traceStore.listSteps(read, request.tenantId, { of, page }),
      keyOf: (step) => [step.stepId],
      toItem: (step) => toTraceStep(request.tenantId, step),
    }),
  });

  return [
    route(listJobSteps, async ({ tenantId, id, query }) => {
      if (!(await jobStore.find(read, tenantId, id))) throw notFound('job');
      return listSteps({ tenantId, route: `${listJobSteps.path}#${id}`, query }, { jobId: id });
    }),

    route(listJobArtifacts, async ({ tenantId, id, query }) => {
      if (!(await jobStore.find(read, tenantId, id))) throw notFound('job');
      return {
        status: 200,
        body: await readPage({
          cursors,
          request: { tenantId, route: `${listJobArtifacts.path}#${id}`, query },
          read: (page) => artifactStore.listOfJob(read, tenantId, { jobId: id, page }),
          keyOf: (artifact) => [artifact.artifactId],
          toItem: (artifact) => toArtifact(tenantId, artifact),
        }),
      };
    }),

    route(getArtifact, async ({ tenantId, id }) => {
      const artifact = await artifactStore.find(read, tenantId, id);
      if (!artifact) throw notFound('artifact');
      return { status: 200, body: toArtifact(tenantId, artifact) };
    }),

    route(getTrace, async ({ tenantId, id }) => {
      const trace = await traceStore.find(read, tenantId, id);
      if (!trace) throw notFound('trace');
      return { status: 200, body: toTrace(tenantId, trace) };
    }),

    route(listTraceSteps, async ({ tenantId, id, query }) => {
      if (!(await traceStore.find(read, tenantId, id))) throw notFound('trace');
      return listSteps({ tenantId, route: `${listTraceSteps.path}#${id}`, query }, { traceId: id });
    }),
  ];
}
