import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Limits the mails to one mailbox, however many channels lead to it. */
export interface MailLimit {
  /** Counts a notice. Returns 0, or after how many seconds it may be sent. */
  countNotice(tx: Queries, mail: { tenantId: TenantId; address: string }): Promise<number>;
  /** Does the same for a test. */
  countTest(tx: Queries, address: string): Promise<number>;
}
