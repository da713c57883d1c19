import type { ProtectionStatus } from '@tps/contract';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { PollingLoop } from '../../../platform/concurrency/polling-loop.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { lockTenant } from '../../authority/index.ts';
import * as channelStore from '../channels/channel-store.ts';
import { enqueueNotices } from '../enqueue-notices.ts';
import { nextProtection } from './protection-change.ts';
import * as protectionStore from './protection-store.ts';

/** People are to know within a minute. */
const EVERY_MS = 20_000;

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Derives the protection status of a tenant. */
  readonly statusOf: (tenantId: TenantId) => Promise<ProtectionStatus>;
}

/** Looks at the protection status of each tenant with a notice channel, and stores notices when it changes. */
export class ProtectionWatch {
  readonly #parts: Parts;
  readonly #loop: PollingLoop;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#loop = new PollingLoop({
      round: async (signal) => {
        await this.#checkAll(signal);
        return EVERY_MS;
      },
      firstAfterMs: EVERY_MS,
      backOffMs: EVERY_MS,
      onFailure: (err) => parts.logger.warn({ err }, 'tenants with notice channels could not be listed'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #checkAll(signal: AbortSignal): Promise<void> {
    for (const tenantId of await channelStore.listTenants(this.#parts.database.read)) {
      if (signal.aborted) return;
      // The other tenants are looked at even so.
      await this.check(tenantId).catch((err: unknown) => {
        this.#parts.logger.warn({ err, tenantId }, 'protection status could not be checked');
      });
    }
  }

  /** Looks at one tenant. */
  async check(tenantId: TenantId): Promise<void> {
    const { database, clock, statusOf } = this.#parts;
    const observed = await statusOf(tenantId);
    await database.transaction(async (tx) => {
      // Deleted meanwhile: a state would stay for ever.
      if (!(await lockTenant(tx, tenantId))) return;
      const before = await protectionStore.find(tx, tenantId);
      const nowMs = clock.now();
      const { state, causes } = nextProtection(before, observed, nowMs);
      if (state === before) return;
      await protectionStore.save(tx, tenantId, state);
      await enqueueNotices(tx, tenantId, { causes, nowMs });
    });
  }
}
