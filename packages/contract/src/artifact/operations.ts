import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { tenantQuery } from '../schema/page.ts';
import { traceExample } from '../trace/operations.ts';
import { Artifact } from './schema.ts';

export const artifactExample = {
  artifact_id: 'art_06ays3w8jrv2k7d1m5q9x4t0zk',
  tenant_id: traceExample.tenant_id,
  job_id: traceExample.job_id,
  trace_id: traceExample.trace_id,
  step_id: 'stp_06ays3w8jrv2k7d1m5q9x4t0zm',
  kind: 'triage_report',
  media_type: 'text/markdown',
  size_bytes: 40,
  sha256: 'c70b021333155b69d7383e7f6e4134c9b3117f983aad6f94c23c526a2fdfaed1',
  created_at: '2026-03-02T09:16:01.120Z',
  content: '# Triage: phishing on device dev_pixel-8',
};

export const getArtifact = operation({
  operationId: 'getArtifact',
  method: 'GET',
  path: '/artifacts/{id}',
  tag: 'jobs',
  summary: 'Read one artifact',
  scope: 'jobs:read',
  id: 'artifact',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: {
    200: { description: 'The artifact with its content.', schema: Artifact, example: artifactExample },
  },
});

export const artifactOperations = [getArtifact] as const;
