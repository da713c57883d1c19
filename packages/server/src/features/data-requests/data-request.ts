import type { DataRequest } from '@tps/contract';
import { DATA_RECORD_KINDS, type DataRecordKind } from '@tps/contract/vocabulary';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';
import type { AuditActor } from '../audit/index.ts';
import type { Subject } from './subject.ts';
import type { Key } from './subject-rows-store.ts';

/** How far the work on a request is. */
export interface Progress {
  /** Index of the source that is searched. */
  readonly stage: number;
  /** The key up to which it was searched; undefined at its beginning. */
  readonly stageKey: Key | undefined;
  /** Number of searches through all sources, beginning with 1. */
  readonly pass: number;
  readonly foundInPass: number;
  /** What the last step did not finish. */
  readonly leftovers: Leftovers;
}

/** Deleted objects to which rows may still refer. */
export interface Leftovers {
  /** Incidents with members, a timeline or notices. */
  readonly incidentIds: readonly string[];
  /** Objects that jobs had as an input. */
  readonly inputRefs: readonly string[];
}

export type RecordCounts = Readonly<Partial<Record<DataRecordKind, number>>>;

export interface DataRequestRecord {
  readonly tenantId: TenantId;
  readonly requestId: string;
  readonly kind: DataRequest['kind'];
  readonly status: DataRequest['status'];
  readonly subjectType: Subject['type'];
  /** Null once it is not needed any more. */
  readonly subject: string | null;
  /** The end of the feed when it was requested. */
  readonly untilPosition: number;
  readonly progress: Progress;
  readonly counts: RecordCounts;
  readonly proof: string | null;
  readonly createdAtMs: number;
  readonly createdBy: Pick<AuditActor, 'type' | 'id'>;
  readonly completedAtMs: number | null;
  readonly expiresAtMs: number | null;
}

export const NO_LEFTOVERS: Leftovers = { incidentIds: [], inputRefs: [] };

export const BEGINNING: Progress = {
  stage: 0,
  stageKey: undefined,
  pass: 1,
  foundInPass: 0,
  leftovers: NO_LEFTOVERS,
};

export function hasLeftovers({ leftovers }: Progress): boolean {
  return leftovers.incidentIds.length + leftovers.inputRefs.length > 0;
}

export function subjectOf({ subjectType, subject }: DataRequestRecord): Subject | undefined {
  return subject === null ? undefined : { type: subjectType, value: subject };
}

export function addCounts(counts: RecordCounts, more: RecordCounts): RecordCounts {
  const sum: Partial<Record<DataRecordKind, number>> = { ...counts };
  for (const kind of DATA_RECORD_KINDS) {
    const added = more[kind] ?? 0;
    if (added > 0) sum[kind] = (sum[kind] ?? 0) + added;
  }
  return sum;
}

export function totalOf(counts: RecordCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function toDataRequest(request: DataRequestRecord): DataRequest {
  return {
    request_id: request.requestId,
    tenant_id: request.tenantId,
    kind: request.kind,
    status: request.status,
    subject_type: request.subjectType,
    subject: request.subject,
    records: DATA_RECORD_KINDS.flatMap((kind) => {
      const count = request.counts[kind] ?? 0;
      return count > 0 ? [{ kind, count }] : [];
    }),
    proof: request.proof,
    created_at: toTimestamp(request.createdAtMs),
    created_by: { ...request.createdBy },
    completed_at: toOptionalTimestamp(request.completedAtMs),
    expires_at: toOptionalTimestamp(request.expiresAtMs),
  };
}
