import type { TenantId } from '../../../platform/tenant-id.ts';

/** A job that this process may work on until its lease ends. */
export interface ClaimedJob {
  readonly tenantId: TenantId;
  readonly jobId: string;
  readonly nodeId: string;
  /** Distinguishes this claim from all other claims of the job. */
  readonly claims: number;
}
