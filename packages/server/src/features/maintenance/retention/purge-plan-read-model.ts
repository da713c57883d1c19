import type { IdNoun } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import { firstIdAt } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { feedStore } from '../../feed/index.ts';
import type { DataClass } from './data-class.ts';
import { ROWS_PER_TRANSACTION } from './purge-store.ts';
import type { Owner, PurgeTask } from './purge-task.ts';

/** Rows per window in tables whose rows have children. */
const FAMILIES_PER_WINDOW = 50;

interface Scope {
  readonly owner: Owner;
  readonly cutoffMs: number;
}

/** Lists the purge tasks of a class, in the order in which they run. */
export async function listPurgeTasks(
  queries: ReadQueries,
  dataClass: DataClass,
  scope: Scope,
): Promise<PurgeTask[]> {
  switch (dataClass) {
    case 'events':
      return [...(await deliveryTasks(queries, scope)), await eventTask(queries, scope), erasedTask(scope)];
    case 'derived':
      return derivedTasks(scope);
    case 'jobs':
      return jobTasks(scope);
    case 'audit':
      return [
        byAge({ table: 'audit_entries', noun: 'audit', id: 'audit_id', at: 'occurred_at' }, scope),
        dataRequestTask(scope),
      ];
  }
}

/** Purges a prefix of the feed. Arrival times ascend with positions, so the rest has no gaps. */
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
    // Storing a correction reads its root twice; the root must not disappear in between.
    locksFeed: true,
  };
}

/** The places of erased events end with the events around them. */
function erasedTask({ owner, cutoffMs }: Scope): PurgeTask {
  return {
    table: 'erased_events',
    owner,
    within: {},
    key: ['position'],
    bound: undefined,
    window: ROWS_PER_TRANSACTION,
    expired: sql<SqlBool>`t.received_at < ${cutoffMs}`,
    children: [],
    locksFeed: true,
  };
}

/** Keeps what the service has not completed yet. */
function dataRequestTask(scope: Scope): PurgeTask {
  const { cutoffMs } = scope;
  return {
    ...byAge({ table: 'data_requests', noun: 'data_request', id: 'request_id', at: 'created_at' }, scope),
    expired: sql<SqlBool>`t.created_at < ${cutoffMs} and t.subject is null`,
  };
}

/** A delivery id begins with its event's arrival time. Test deliveries stay: their events were never in the feed. */
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

/** Skips through the index with one query per webhook. */
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
 * Purges ended incidents, and the threats and alerts that no remaining incident contains. An unresolved incident keeps
 * all its members, and so does one that ended after the cutoff.
 */
function derivedTasks(scope: Scope): PurgeTask[] {
  const { owner, cutoffMs } = scope;
  const firstKept = (noun: IdNoun) => firstIdAt(ID_PREFIXES[noun], cutoffMs);
  const derived = { owner, within: {}, window: ROWS_PER_TRANSACTION, children: [], locksFeed: true };
  return [
    {
      ...derived,
      table: 'incidents',
      key: ['incident_id'],
      bound: [firstKept('incident')],
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
      bound: [firstKept('alert')],
      expired: sql<SqlBool>`t.updated_at < ${cutoffMs} and ${isNoMember('alert', scope)}`,
    },
    {
      ...derived,
      table: 'threats',
      key: ['threat_id'],
      bound: [firstKept('threat')],
      expired: isQuietThreat(scope),
    },
    {
      ...derived,
      table: 'sightings',
      key: ['correlation_key', 'device_id', 'threat_category'],
      bound: undefined,
      expired: sql<SqlBool>`t.threat_id < ${firstKept('threat')} and ${isQuietThreat(scope)}`,
    },
  ];
}

function hasEnded(incident: string, cutoffMs: number): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${incident}.${name}`);
  return sql<SqlBool>`(${column('status')} in ('resolved', 'closed') and ${column('updated_at')} < ${cutoffMs})`;
}

/** `last_seen_at` comes from device clocks and may lie far back, so a recently received event also keeps its threat. */
function isQuietThreat(scope: Scope): RawBuilder<SqlBool> {
  return sql<SqlBool>`t.last_seen_at < ${scope.cutoffMs} and ${isNoMember('threat', scope)}
    and not exists (select 1 from events e
      where e.tenant_id = t.tenant_id and e.threat_id = t.threat_id and e.received_at >= ${scope.cutoffMs} limit 1 offset 0)`;
}

/**
 * Evaluated for each row of a window, by the index on members. `offset 0` keeps PostgreSQL from turning it into a join,
 * which may read all members. With 500,000 members of 50,000 open incidents, a window takes 14 ms on PostgreSQL and
 * 1.5 ms on SQLite. `not in` over all members of such incidents exceeded the statement timeout on PostgreSQL and took
 * 1 s on SQLite.
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
  const ofJob = (table: 'artifacts' | 'trace_steps' | 'traces' | 'job_inputs', id: string) => ({
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
        ofJob('artifacts', 'artifact_id'),
        ofJob('trace_steps', 'step_id'),
        ofJob('traces', 'trace_id'),
        ofJob('job_inputs', 'input_ref'),
      ],
    },
    byAge({ table: 'scans', noun: 'scan', id: 'scan_id', at: 'created_at' }, scope),
  ];
}

/** Purges rows that never change. Their ids begin with their creation time. */
function byAge(
  {
    table,
    noun,
    id,
    at,
  }: { table: 'audit_entries' | 'data_requests' | 'scans'; noun: IdNoun; id: string; at: string },
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
