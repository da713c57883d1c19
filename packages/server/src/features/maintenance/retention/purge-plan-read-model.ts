import { ID_PREFIXES, type IdNoun } from '@tps/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import { firstIdAt } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedStore } from '../../feed/index.ts';
import type { DataClass } from './data-class.ts';
import { ROWS_PER_TRANSACTION } from './purge-store.ts';
import type { Owner, PurgeTask } from './purge-task.ts';

/** Rows that have others belonging to them, looked at together. */
const FAMILIES_PER_WINDOW = 50;

interface Scope {
  readonly owner: Owner;
  readonly cutoffMs: number;
}

/** Says what of a class is outdated, in the order in which it is removed. */
export async function listPurgeTasks(
  queries: ReadQueries,
  dataClass: DataClass,
  scope: Scope,
): Promise<PurgeTask[]> {
  switch (dataClass) {
    case 'events':
      return [...(await deliveryTasks(queries, scope)), await eventTask(queries, scope)];
    case 'derived':
      return derivedTasks(scope);
    case 'jobs':
      return jobTasks(scope);
    case 'audit':
      return [byAge({ table: 'audit_entries', noun: 'audit', id: 'audit_id', at: 'occurred_at' }, scope)];
  }
}

/** A prefix of the feed: arrivals ascend with positions, so what stays has no gaps. */
async function eventTask(queries: ReadQueries, { owner, cutoffMs }: Scope): Promise<PurgeTask> {
  const last = await feedStore.findPositionBefore(queries, owner as TenantId, cutoffMs);
  return {
    table: 'events',
    owner,
    within: {},
    key: ['position'],
    bound: [last + 1],
    window: ROWS_PER_TRANSACTION,
    expired: sql<SqlBool>`1 = 1`,
    children: [],
    // A correction that is being stored reads its root twice.
    locksFeed: true,
  };
}

/** The id of a delivery begins with its event's arrival. Tests have made-up events, which never were in the feed. */
async function deliveryTasks(queries: ReadQueries, { owner, cutoffMs }: Scope): Promise<PurgeTask[]> {
  const webhookIds = await listWebhooksWithDeliveries(queries, owner);
  return webhookIds.map((webhookId) => ({
    table: 'deliveries',
    owner,
    within: { webhook_id: webhookId },
    key: ['delivery_id'],
    bound: [firstIdAt(ID_PREFIXES.delivery, cutoffMs)],
    window: ROWS_PER_TRANSACTION,
    expired: sql<SqlBool>`t.test_body is null`,
    children: [],
    locksFeed: false,
  }));
}

/** One step in the key for each webhook. */
async function listWebhooksWithDeliveries(queries: ReadQueries, owner: Owner): Promise<string[]> {
  const webhookIds: string[] = [];
  for (;;) {
    const { next } = await queries.db
      .selectFrom('deliveries')
      .select((row) => row.fn.min('webhook_id').as('next'))
      .where('tenant_id', '=', owner)
      .where('webhook_id', '>', webhookIds.at(-1) ?? '')
      .executeTakeFirstOrThrow();
    if (next === null) return webhookIds;
    webhookIds.push(next);
  }
}

/**
 * Incidents that have ended, and what belongs to none that stays: an unresolved incident keeps all its threats and alerts,
 * and one that ended lately still shows them.
 */
function derivedTasks(scope: Scope): PurgeTask[] {
  const { owner, cutoffMs } = scope;
  const changed = (noun: IdNoun) => firstIdAt(ID_PREFIXES[noun], cutoffMs);
  const derived = { owner, within: {}, window: ROWS_PER_TRANSACTION, children: [], locksFeed: true };
  return [
    {
      ...derived,
      table: 'incidents',
      key: ['incident_id'],
      bound: [changed('incident')],
      window: FAMILIES_PER_WINDOW,
      expired: sql<SqlBool>`${hasEnded('t', cutoffMs)}`,
      children: [
        { table: 'incident_timeline', parent: 'incident_id', key: ['entry_id'] },
        { table: 'incident_members', parent: 'incident_id', key: ['kind', 'member_id'] },
      ],
    },
    {
      ...derived,
      table: 'alerts',
      key: ['alert_id'],
      bound: [changed('alert')],
      expired: sql<SqlBool>`t.updated_at < ${cutoffMs} and ${isNoMember('alert', scope)}`,
    },
    {
      ...derived,
      table: 'threats',
      key: ['threat_id'],
      bound: [changed('threat')],
      expired: isQuietThreat(scope),
    },
    {
      ...derived,
      table: 'sightings',
      key: ['correlation_key', 'device_id', 'threat_category'],
      bound: undefined,
      expired: sql<SqlBool>`t.threat_id < ${changed('threat')} and ${isQuietThreat(scope)}`,
    },
  ];
}

function hasEnded(incident: string, cutoffMs: number): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${incident}.${name}`);
  return sql<SqlBool>`(${column('status')} in ('resolved', 'closed') and ${column('updated_at')} < ${cutoffMs})`;
}

/** What devices say about the time may lie far back: an event that came late keeps its threat as any other does. */
function isQuietThreat(scope: Scope): RawBuilder<SqlBool> {
  return sql<SqlBool>`t.last_seen_at < ${scope.cutoffMs} and ${isNoMember('threat', scope)}
    and not exists (select 1 from events e
      where e.tenant_id = t.tenant_id and e.threat_id = t.threat_id and e.received_at >= ${scope.cutoffMs} limit 1 offset 0)`;
}

/**
 * Asked for each row of a window, by the index on members: `offset 0` keeps PostgreSQL from making a join of it, for which it
 * may read all members. Beside 500 000 members of 50 000 open incidents a window takes 14 ms on PostgreSQL and 1.5 ms on
 * SQLite; with `not in` over all members of such incidents it took longer than a statement may, and 1 s.
 */
function isNoMember(kind: 'alert' | 'threat', { cutoffMs }: Scope): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select 1 from incident_members m
    join incidents i on i.tenant_id = m.tenant_id and i.incident_id = m.incident_id
    where m.tenant_id = t.tenant_id and m.kind = ${kind} and m.member_id = ${sql.ref(`t.${kind}_id`)}
      and not ${hasEnded('i', cutoffMs)}
    limit 1 offset 0)`;
}

function jobTasks(scope: Scope): PurgeTask[] {
  const { owner, cutoffMs } = scope;
  const belongs = (table: 'artifacts' | 'trace_steps' | 'traces', id: string) => ({
    table,
    parent: 'job_id',
    key: [id],
  });
  return [
    {
      table: 'jobs',
      owner,
      within: {},
      key: ['job_id'],
      window: FAMILIES_PER_WINDOW,
      locksFeed: false,
      bound: [firstIdAt(ID_PREFIXES.job, cutoffMs)],
      expired: sql<SqlBool>`t.updated_at < ${cutoffMs}
        and t.status in ('completed', 'rejected', 'cancelled', 'failed')`,
      children: [
        belongs('artifacts', 'artifact_id'),
        belongs('trace_steps', 'step_id'),
        belongs('traces', 'trace_id'),
      ],
    },
    byAge({ table: 'scans', noun: 'scan', id: 'scan_id', at: 'created_at' }, scope),
  ];
}

/** Rows that never change: their ids begin with the time they were made at. */
function byAge(
  { table, noun, id, at }: { table: 'audit_entries' | 'scans'; noun: IdNoun; id: string; at: string },
  { owner, cutoffMs }: Scope,
): PurgeTask {
  return {
    table,
    owner,
    within: {},
    key: [id],
    bound: [firstIdAt(ID_PREFIXES[noun], cutoffMs)],
    window: ROWS_PER_TRANSACTION,
    children: [],
    locksFeed: false,
    expired: sql<SqlBool>`${sql.ref(`t.${at}`)} < ${cutoffMs}`,
  };
}
