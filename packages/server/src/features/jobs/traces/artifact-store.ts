import type { Artifact, ArtifactKind } from '@tps/contract';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { PageRequest } from '../../../platform/http/page.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { ArtifactRecord } from './trace.ts';

export async function createMany(
  tx: Queries,
  tenantId: TenantId,
  artifacts: readonly ArtifactRecord[],
): Promise<void> {
  await tx.insertMany(
    'artifacts',
    artifacts.map((artifact) => ({
      tenant_id: tenantId,
      artifact_id: artifact.artifactId,
      job_id: artifact.jobId,
      trace_id: artifact.traceId,
      step_id: artifact.stepId,
      kind: artifact.kind,
      media_type: artifact.mediaType,
      size_bytes: artifact.sizeBytes,
      sha256: artifact.sha256,
      created_at: artifact.createdAtMs,
      content: artifact.content,
    })),
  );
}

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  artifactId: string,
): Promise<ArtifactRecord | undefined> {
  const row = await queries.db
    .selectFrom('artifacts')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('artifact_id', '=', artifactId)
    .executeTakeFirst();
  return row && toRecord(row);
}

/** Newest first. */
export async function listOfJob(
  queries: ReadQueries,
  tenantId: TenantId,
  { jobId, page }: { jobId: string; page: PageRequest },
): Promise<ArtifactRecord[]> {
  let query = queries.db
    .selectFrom('artifacts')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('job_id', '=', jobId)
    .orderBy('artifact_id', 'desc')
    .limit(page.limit);
  if (page.after !== undefined) query = query.where('artifact_id', '<', String(page.after[0]));
  return (await query.execute()).map(toRecord);
}

/** Lists the artifacts that a run has published, oldest first, without their content. */
export async function listDigests(
  queries: ReadQueries,
  tenantId: TenantId,
  { jobId, traceId }: { jobId: string; traceId: string },
): Promise<Pick<Artifact, 'artifact_id' | 'kind' | 'sha256'>[]> {
  const rows = await queries.db
    .selectFrom('artifacts')
    .select(['artifact_id', 'kind', 'sha256'])
    .where('tenant_id', '=', tenantId)
    .where('job_id', '=', jobId)
    .where('trace_id', '=', traceId)
    .orderBy('artifact_id')
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as ArtifactKind }));
}

function toRecord(row: Row<'artifacts'>): ArtifactRecord {
  return {
    artifactId: row.artifact_id,
    jobId: row.job_id,
    traceId: row.trace_id,
    stepId: row.step_id,
    kind: row.kind as ArtifactKind,
    mediaType: row.media_type as Artifact['media_type'],
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    createdAtMs: row.created_at,
    content: row.content,
  };
}
