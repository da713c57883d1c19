import type { ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { ONLINE_MS, STALE_MS } from '../devices/index.ts';
import { feedHeadStore, feedStore, HIGH_SEVERITIES } from '../feed/index.ts';
import type { ProtectionFacts } from './protection-status.ts';

const DAY_MS = 86_400_000;

/**
 * Reads the facts from which a tenant's status is derived. An active threat last seen before `quietSinceMs` is
 * over.
 */
export async function readFacts(
  queries: ReadQueries,
  tenantId: TenantId,
  { nowMs, quietSinceMs }: { nowMs: number; quietSinceMs: number },
): Promise<ProtectionFacts> {
  const [devices, threats, openAlerts, incidents, events, webhooks] = await Promise.all([
    countDevices(queries, tenantId, nowMs),
    countThreats(queries, tenantId, quietSinceMs),
    countOpenAlerts(queries, tenantId),
    countIncidents(queries, tenantId),
    countEvents(queries, tenantId, nowMs),
    countWebhooks(queries, tenantId),
  ]);
  return { devices, ...threats, openAlerts, ...incidents, ...events, ...webhooks };
}

async function countDevices(queries: ReadQueries, tenantId: TenantId, nowMs: number) {
  const rows = await queries.db
    .selectFrom('devices')
    .leftJoin('device_states', (join) =>
      join
        .onRef('device_states.tenant_id', '=', 'devices.tenant_id')
        .onRef('device_states.device_id', '=', 'devices.device_id'),
    )
    .select((row) => [
      'devices.status',
      row
        .case()
        .when('last_seen_at', '>', nowMs - ONLINE_MS)
        .then('online')
        .when('last_seen_at', '>', nowMs - STALE_MS)
        .then('stale')
        .else('offline')
        .end()
        .as('presence'),
      row.fn.countAll<number>().as('total'),
    ])
    .where('devices.tenant_id', '=', tenantId)
    .groupBy(['devices.status', 'presence'])
    .execute();
  const sum = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((total, row) => total + Number(row.total), 0);
  const active = (presence: string) => sum((row) => row.status === 'active' && row.presence === presence);
  return {
    total: sum(() => true),
    active: sum((row) => row.status === 'active'),
    revoked: sum((row) => row.status === 'revoked'),
    online: active('online'),
    stale: active('stale'),
    offline: active('offline'),
  };
}

async function countThreats(queries: ReadQueries, tenantId: TenantId, quietSinceMs: number) {
  const rows = await queries.db
    .selectFrom('threats')
    .select((row) => ['severity', row.fn.countAll<number>().as('total')])
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'active')
    .where('last_seen_at', '>', quietSinceMs)
    .groupBy('severity')
    .execute();
  return { activeThreats: totalOf(rows), highSeverityThreats: totalOf(rows.filter(isHighSeverity)) };
}

async function countOpenAlerts(queries: ReadQueries, tenantId: TenantId): Promise<number> {
  const rows = await queries.db
    .selectFrom('alerts')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .where('status', '=', 'open')
    .execute();
  return totalOf(rows);
}

async function countIncidents(queries: ReadQueries, tenantId: TenantId) {
  const rows = await queries.db
    .selectFrom('incidents')
    .select((row) => ['status', 'severity', row.fn.countAll<number>().as('total')])
    .where('tenant_id', '=', tenantId)
    .where('status', 'in', ['open', 'in_progress', 'on_hold'])
    .groupBy(['status', 'severity'])
    .execute();
  const ofStatus = (status: string) => totalOf(rows.filter((row) => row.status === status));
  return {
    incidents: { open: ofStatus('open'), in_progress: ofStatus('in_progress'), on_hold: ofStatus('on_hold') },
    highSeverityIncidents: totalOf(rows.filter(isHighSeverity)),
  };
}

async function countWebhooks(queries: ReadQueries, tenantId: TenantId) {
  const rows = await queries.db
    .selectFrom('webhooks as w')
    .leftJoin('webhook_states as s', (join) =>
      join.onRef('s.tenant_id', '=', 'w.tenant_id').onRef('s.webhook_id', '=', 'w.webhook_id'),
    )
    .leftJoin('webhook_circuits as c', (join) =>
      join.onRef('c.tenant_id', '=', 'w.tenant_id').onRef('c.webhook_id', '=', 'w.webhook_id'),
    )
    .select(['w.status', 'w.auto_replay', 'w.disabled_reason', 's.last_status', 'c.state'])
    .where('w.tenant_id', '=', tenantId)
    .execute();
  const dead = await queries.db
    .selectFrom('deliveries')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .where('dead_at', 'is not', null)
    .execute();
  const isFailing = (row: (typeof rows)[number]) =>
    row.disabled_reason === null ? row.last_status === 'failed' : row.disabled_reason !== 'requested';
  const isSilent = (row: (typeof rows)[number]) =>
    row.status === 'active' && row.auto_replay === 1 && row.state !== null;
  return {
    webhooks: {
      registered: rows.length,
      failing: rows.filter(isFailing).length,
      dead_letters: totalOf(dead),
    },
    lostSecrets: rows.filter((row) => row.disabled_reason === 'secret_lost').length,
    silentReceivers: rows.filter(isSilent).length,
  };
}

/** Positions have no gaps, so the number of events in a time range is the distance between two positions. */
async function countEvents(queries: ReadQueries, tenantId: TenantId, nowMs: number) {
  const head = await feedHeadStore.read(queries, tenantId);
  const before = await feedStore.findPositionBefore(queries, tenantId, nowMs - DAY_MS);
  return {
    lastEventAtMs: head.position === 0 ? null : head.receivedAtMs,
    eventsLast24h: Math.max(0, head.position - before),
  };
}

function isHighSeverity({ severity }: { severity: string }): boolean {
  return HIGH_SEVERITIES.some((high) => high === severity);
}

function totalOf(rows: readonly { total: number }[]): number {
  return rows.reduce((total, row) => total + Number(row.total), 0);
}
