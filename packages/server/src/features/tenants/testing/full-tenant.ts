import { randomBytes } from 'node:crypto';
import { SCOPES } from '@tps/contract';
import { storeSpecimens } from '@tps/testing/store';
import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { statisticsStore } from '../../statistics/index.ts';
import { TokenService } from '../../tokens/token-service.ts';
import { TenantService } from '../tenant-service.ts';
import { storeIdentities } from './full-tenant-identities.ts';

/** Creates a tenant with at least one row in every table, and an incident with 1500 members. */
export async function createFullTenant(database: Database, clock: Clock): Promise<TenantId> {
  const parts = { database, clock };
  const nowMs = clock.now();
  const { tenantId } = await database.transaction((tx) =>
    new TenantService(parts).create(tx, { name: 'Full Ltd', environment: 'test' }),
  );
  const token = { tenantId, environment: 'test', name: 'x', scopes: SCOPES, expiresAtMs: null } as const;
  await database.transaction((tx) => new TokenService(parts).createFromCommandLine(tx, token));
  const aged = { atMs: nowMs, incident: 'unresolved', jobStatus: 'completed' } as const;
  await storeSpecimens(database, tenantId, [aged, aged, { ...aged, crowd: 1500 }]);
  await storeOthers(database, tenantId, nowMs);
  return tenantId;
}

async function storeOthers(database: Database, tenant_id: TenantId, nowMs: number): Promise<void> {
  const device = { tenant_id, device_id: `dev_${randomBytes(4).toString('hex')}` };
  const webhook = { tenant_id, webhook_id: `whk_${randomBytes(4).toString('hex')}` };
  await database.transaction(async (tx) => {
    await storeIdentities(tx, tenant_id, nowMs);
    await tx.insertMany('devices', [
      {
        ...device,
        platform: 'android',
        status: 'active',
        public_key: Buffer.alloc(32),
        agent_version: null,
        name: null,
        registered_at: nowMs,
        revoked_at: null,
        version: 1,
      },
    ]);
    await tx.insertMany('device_states', [
      { ...device, last_seen_at: nowMs, sequence: null, event_hash: null, last_event_at: null },
    ]);
    await tx.insertMany('request_nonces', [{ ...device, bucket: 1, nonce: 'x' }]);
    await tx.insertMany('idempotency_keys', [
      {
        tenant_id,
        token_id: 'tok_x',
        operation_id: 'x',
        idempotency_key: 'x',
        status: 201,
        request_hash: Buffer.alloc(32),
        answer: '{}',
        location: null,
        created_at: nowMs,
      },
    ]);
    await tx.insertMany('policies', [
      {
        tenant_id,
        policy_id: 'pol_x',
        name: 'x',
        threat_categories: '[]',
        action: 'warn',
        confidence_threshold: null,
        enabled: 1,
        version: 1,
        created_at: nowMs,
        updated_at: nowMs,
        archived_at: null,
      },
    ]);
    await tx.insertMany('webhooks', [
      {
        ...webhook,
        url: 'https://example.com/',
        severity_filter: null,
        status: 'active',
        disabled_reason: null,
        created_at: nowMs,
        updated_at: nowMs,
        secret_key_id: 'x',
        secret: Buffer.alloc(8),
        previous_secret_key_id: null,
        previous_secret: null,
        previous_secret_until: null,
        held_at: null,
        auto_replay: 1,
      },
    ]);
    await tx.insertMany('webhook_states', [
      {
        ...webhook,
        last_status: 'delivered',
        last_error: null,
        last_at: nowMs,
        last_attempts: 1,
        failing_since: null,
      },
    ]);
    await tx.insertMany('webhook_circuits', [
      {
        ...webhook,
        state: 'open',
        due_at: nowMs,
        opened_at: nowMs,
        failed_probes: 0,
        replayed: 0,
        batch_size: 0,
        batch_from: null,
        batch_until: null,
      },
    ]);
    await tx.insertMany('webhook_recoveries', [
      { ...webhook, until_position: 2, after_position: 0, restarts_failed: 0 },
    ]);
    await storeStatistics(tx, tenant_id, nowMs);
    await tx.insertMany('indicator_heads', [{ tenant_id, version: 1, indicators: 1 }]);
    await tx.insertMany('indicator_sources', [
      {
        tenant_id,
        source: 'x',
        import_id: null,
        import_number: 1,
        kept_since: 1,
        swept_before: 1,
        imported: 1,
        indicators: 1,
        updated_at: nowMs,
      },
    ]);
    await tx.insertMany('indicators', [
      {
        tenant_id,
        source: 'x',
        type: 'domain',
        digest: Buffer.alloc(32),
        value: 'x.example',
        category: 'phishing',
        threat_type: 'known_indicator',
        confidence: 1,
        label: null,
        dual_use: 0,
        valid_from: null,
        valid_until: null,
        import_number: 1,
      },
    ]);
    await storeDataRequest(tx, tenant_id, nowMs);
    await tx.insertMany('retention_overrides', [{ tenant_id, data_class: 'events', days: 30 }]);
  });
}

async function storeDataRequest(tx: Queries, tenant_id: TenantId, nowMs: number): Promise<void> {
  const request = { tenant_id, request_id: 'drq_x' };
  await tx.insertMany('data_requests', [
    {
      ...request,
      kind: 'deletion',
      status: 'completed',
      subject_type: 'device_id',
      subject: null,
      until_position: 1,
      stage: 0,
      stage_key: null,
      pass: 1,
      found_in_pass: 0,
      records: '{}',
      proof: null,
      created_at: nowMs,
      created_by: 'token tok_x',
      completed_at: nowMs,
      expires_at: null,
    },
  ]);
  await tx.insertMany('erased_events', [
    {
      ...request,
      position: 1,
      event_key: 'x',
      received_at: nowMs,
      event_hash: Buffer.alloc(32),
      chain_hash: Buffer.alloc(32),
    },
  ]);
}

async function storeStatistics(tx: Queries, tenantId: TenantId, atMs: number): Promise<void> {
  const { add } = statisticsStore;
  await add(tx, 'event_statistics', [{ tenantId, atMs, counts: { devices: 1 } }]);
  await add(tx, 'incident_statistics', [{ tenantId, atMs, counts: { opened_campaign: 1 } }]);
  await add(tx, 'delivery_statistics', [{ tenantId, atMs, counts: { dead: 1 } }]);
  await add(tx, 'scan_statistics', [{ tenantId, atMs, counts: { verdict_warn: 1 } }]);
}
