import type { Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toMailboxKey } from '../account.ts';
import type { LoginThrottle, ThrottleKey } from './login-throttle.ts';

/**
 * Limits the notices that go to a mailbox. An admin of a tenant can name any address. Tests of all tenants are counted
 * together; notices by tenant, because one tenant must not silence those of another. A tenant can replace its channels, so
 * the mailboxes of a day are counted too.
 */
export class NoticeMailLimit {
  readonly #throttle: Pick<LoginThrottle, 'admitWithin' | 'succeed'>;

  constructor(throttle: Pick<LoginThrottle, 'admitWithin' | 'succeed'>) {
    this.#throttle = throttle;
  }

  /** Counts a notice. Returns 0, or after how many seconds it may be sent. */
  async countNotice(
    tx: Queries,
    { tenantId, address }: { tenantId: TenantId; address: string },
  ): Promise<number> {
    const value = `${tenantId} ${toMailboxKey(address)}`;
    const recipient = await this.#throttle.admitWithin(tx, [{ budget: 'recipient', value }]);
    const isNew = recipient.allowed;
    const waitS = isNew ? await this.#count(tx, { budget: 'recipients', value: tenantId }) : 0;
    if (isNew && waitS > 0) await this.#throttle.succeed(tx, recipient);
    return waitS > 0 ? waitS : this.#count(tx, { budget: 'notice', value });
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
