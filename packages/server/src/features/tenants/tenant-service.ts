import type { Environment } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Database, Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createId, firstIdAt } from '../../platform/identifiers.ts';
import { notFound } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { auditStore, COMMAND_LINE } from '../audit/index.ts';
import type { Tenant } from './tenant-store.ts';
import * as tenantStore from './tenant-store.ts';

/** Creates and configures tenants, on the command line. */
export class TenantService {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  async create(
    tx: Queries,
    { name, environment }: { name: string; environment: Environment },
  ): Promise<Tenant> {
    const nowMs = this.#clock.now();
    const tenantId = createId(ID_PREFIXES.tenant, nowMs) as string as TenantId;
    const tenant: Tenant = { tenantId, name, environment, rateLimitPerMinute: null };
    await tenantStore.create(tx, tenant, nowMs);
    await auditStore.append(
      tx,
      {
        tenantId,
        actor: COMMAND_LINE,
        action: 'tenant.create',
        resource: { type: 'tenant', id: tenantId },
        outcome: 'success',
        requestId: null,
        detail: `Tenant "${name}" created as ${environment}`,
        fields: { name, environment },
      },
      nowMs,
    );
    return tenant;
  }

  /** @throws ServiceError `not_found` */
  async get(tenantId: string): Promise<Tenant> {
    const tenant = await tenantStore.find(this.#database.read, tenantId);
    if (!tenant) throw notFound('tenant');
    return tenant;
  }

  /** Sets a tenant's limit of requests per 60 seconds; null restores the limit of the service. */
  setRateLimit(tenantId: string, perMinute: number | null): Promise<void> {
    const nowMs = this.#clock.now();
    return this.#database.transaction(async (tx) => {
      const tenant = await tenantStore.find(tx, tenantId);
      if (!tenant) throw notFound('tenant');
      await tenantStore.setRateLimit(tx, tenant.tenantId, perMinute);
      await auditStore.append(
        tx,
        {
          tenantId: tenant.tenantId,
          actor: COMMAND_LINE,
          action: 'tenant.set_rate_limit',
          resource: { type: 'tenant', id: tenantId },
          outcome: 'success',
          requestId: null,
          detail: `Rate limit set to ${perMinute ?? 'the default'} per minute`,
          fields: { from: tenant.rateLimitPerMinute, to: perMinute },
        },
        nowMs,
      );
    });
  }

  /**
   * Sets how many automatic triages of a tenant may run at a time; null turns them off. Incidents from before they were
   * turned on are left to analysts.
   *
   * @throws ServiceError `not_found`
   */
  setTriage(tenantId: string, atOnce: number | null): Promise<void> {
    const nowMs = this.#clock.now();
    return this.#database.transaction(async (tx) => {
      const tenant = await tenantStore.findRecordForUpdate(tx, tenantId);
      if (!tenant || tenant.deleteAfterMs !== null) throw notFound('tenant');
      const isTurnedOn = tenant.triageAtOnce === null && atOnce !== null;
      const after = isTurnedOn ? firstIdAt(ID_PREFIXES.incident, nowMs) : undefined;
      await tenantStore.setTriage(tx, tenant.tenantId, { atOnce, after });
      await auditStore.append(
        tx,
        {
          tenantId: tenant.tenantId,
          actor: COMMAND_LINE,
          action: 'tenant.set_triage',
          resource: { type: 'tenant', id: tenantId },
          outcome: 'success',
          requestId: null,
          detail: `Automatic triage of new incidents: ${atOnce === null ? 'off' : `${atOnce} at once`}`,
          fields: { from: tenant.triageAtOnce, to: atOnce },
        },
        nowMs,
      );
    });
  }
}
