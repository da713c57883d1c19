import type {
  Artifact,
  ArtifactKind,
  GuardrailResult,
  StepStatus,
  StepType,
  Trace,
  TraceStep,
} from '@tps/contract';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toOptionalTimestamp, toTimestamp } from '../../../platform/time.ts';

/** One run of a job. */
export interface TraceRecord {
  readonly traceId: string;
  readonly jobId: string;
  readonly run: number;
  readonly inputRefs: readonly string[];
  /** Null until the job ends. */
  readonly finalStatus: Trace['final_status'];
  readonly createdAtMs: number;
}

export interface StepRecord {
  /** Sorts by run, then by the order of the steps. */
  readonly stepId: string;
  readonly traceId: string;
  readonly jobId: string;
  readonly run: number;
  readonly type: StepType;
  readonly status: StepStatus;
  readonly errorCode: string | null;
  readonly guardrail: GuardrailResult;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
}

export interface ArtifactRecord {
  readonly artifactId: string;
  readonly jobId: string;
  readonly traceId: string;
  readonly stepId: string;
  readonly kind: ArtifactKind;
  readonly mediaType: Artifact['media_type'];
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly createdAtMs: number;
  readonly content: string;
}

export function toTrace(tenantId: TenantId, trace: TraceRecord & { workflowId: string }): Trace {
  return {
    trace_id: trace.traceId,
    tenant_id: tenantId,
    job_id: trace.jobId,
    workflow_id: trace.workflowId,
    final_status: trace.finalStatus,
    run: trace.run,
    input_refs: [...trace.inputRefs],
    created_at: toTimestamp(trace.createdAtMs),
  };
}

export function toTraceStep(tenantId: TenantId, step: StepRecord): TraceStep {
  return {
    step_id: step.stepId,
    trace_id: step.traceId,
    job_id: step.jobId,
    tenant_id: tenantId,
    step_type: step.type,
    status: step.status,
    error_code: step.errorCode,
    guardrail_result: step.guardrail,
    started_at: toOptionalTimestamp(step.startedAtMs),
    finished_at: toOptionalTimestamp(step.finishedAtMs),
    run: step.run,
  };
}

export function toArtifact(tenantId: TenantId, artifact: ArtifactRecord): Artifact {
  return {
    artifact_id: artifact.artifactId,
    tenant_id: tenantId,
    job_id: artifact.jobId,
    trace_id: artifact.traceId,
    step_id: artifact.stepId,
    kind: artifact.kind,
    media_type: artifact.mediaType,
    size_bytes: artifact.sizeBytes,
    sha256: artifact.sha256,
    created_at: toTimestamp(artifact.createdAtMs),
    content: artifact.content,
  };
}
