import type { Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toMailboxKey } from '../account.ts';
import type { LoginThrottle, ThrottleKey } from './login-throttle.ts';

/**
 * Limits the notices that go to a mailbox. An admin of a tenant can name any address. Tests of all tenants are counted
 * together; notices by tenant, because one tenant must not silence those of another.
 */
export class NoticeMailLimit {
  readonly #throttle: Pick<LoginThrottle, 'admitWithin'>;

  constructor(throttle: Pick<LoginThrottle, 'admitWithin'>) {
    this.#throttle = throttle;
  }

  /** Counts a notice. Returns 0, or after how many seconds it may be sent. */
  countNotice(tx: Queries, { tenantId, address }: { tenantId: TenantId; address: string }): Promise<number> {
    return this.#count(tx, { budget: 'notice', value: `${tenantId} ${toMailboxKey(address)}` });
  }

  /** Does the same for a test. */
  countTest(tx: Queries, address: string): Promise<number> {
    return this.#count(tx, { budget: 'notice_test', value: toMailboxKey(address) });
  }

  async #count(tx: Queries, key: ThrottleKey): Promise<number> {
    const admission = await this.#throttle.admitWithin(tx, [key]);
    return admission.allowed ? 0 : admission.retryAfterSeconds;
  }
}
