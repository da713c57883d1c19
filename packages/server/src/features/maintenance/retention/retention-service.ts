import { countOf } from '@tps/contract/vocabulary';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import { notFound } from '../../../platform/service-error.ts';
import { auditStore, COMMAND_LINE } from '../../audit/index.ts';
import { tenantStore } from '../../tenants/index.ts';
import { type DataClass, type Retention, retentionOf } from './data-class.ts';
import * as retentionOverrideStore from './retention-override-store.ts';

/** Shows and sets, on the command line, how long data is kept. */
export class RetentionService {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #config: Config['retention'];

  constructor(parts: { database: Database; clock: Clock; config: Config['retention'] }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#config = parts.config;
  }

  /** Returns the retention of a tenant, or of tenants without their own settings. @throws ServiceError `not_found` */
  async get(tenantId?: string): Promise<Record<DataClass, Retention>> {
    const { read } = this.#database;
    if (tenantId === undefined) return retentionOf(this.#config, new Map());
    const tenant = await tenantStore.find(read, tenantId);
    if (!tenant) throw notFound('tenant');
    return retentionOf(this.#config, await retentionOverrideStore.find(read, tenant.tenantId));
  }

  /** Sets how long a tenant's data is kept; null restores the service's setting. @throws ServiceError `not_found` */
  set(tenantId: string, { dataClass, days }: { dataClass: DataClass; days: number | null }): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const tenant = await tenantStore.find(tx, tenantId);
      if (!tenant) throw notFound('tenant');
      const before = (await retentionOverrideStore.find(tx, tenant.tenantId)).get(dataClass) ?? null;
      if (days === null) await retentionOverrideStore.remove(tx, tenant.tenantId, dataClass);
      else await retentionOverrideStore.save(tx, tenant.tenantId, { dataClass, days });
      await auditStore.append(
        tx,
        {
          tenantId: tenant.tenantId,
          actor: COMMAND_LINE,
          action: 'retention.set',
          resource: { type: 'tenant', id: tenant.tenantId },
          outcome: 'success',
          requestId: null,
          detail: `Retention of ${dataClass} set to ${days === null ? 'the default' : countOf(days, 'day')}`,
          fields: { data_class: dataClass, from: before, to: days },
        },
        this.#clock.now(),
      );
    });
  }
}
