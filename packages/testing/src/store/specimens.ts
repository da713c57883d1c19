import { ID_PREFIXES } from '@tps/contract';
import { createId, type Database, type Tables, type TenantId } from '@tps/server/store';
import type { Insertable } from 'kysely';

/** One row of each kind, all of the same age. */
export interface Specimen {
  readonly atMs: number;
  /** The incident that the alert and the threat belong to. */
  readonly incident: 'none' | 'unresolved' | 'ended' | 'ended_lately';
  readonly jobStatus: 'waiting_review' | 'completed' | 'rejected' | 'cancelled' | 'failed';
  /** Adds an event of the threat that arrived long after it, with the time of the first. */
  readonly lateEventAtMs?: number | undefined;
  /** When the threat, alert, incident and job last changed, if that was later. */
  readonly changedAtMs?: number | undefined;
  /** How many more alerts and timeline entries the incident has. */
  readonly crowd?: number;
}

type Rows = { [T in keyof Tables]?: Insertable<Tables[T]>[] };

/** Children first, in the order of their removal. */
const TABLES = [
  ...['events', 'deliveries', 'threats', 'alerts', 'sightings', 'incidents', 'incident_members'],
  ...[
    'incident_timeline',
    'jobs',
    'traces',
    'trace_steps',
    'artifacts',
    'job_inputs',
    'scans',
    'audit_entries',
  ],
] as const satisfies readonly (keyof Tables)[];
export const RETAINED_TABLES: readonly string[] = TABLES;

const WEBHOOK_ID = 'whk_specimen';

/** Inserts specimens directly into the tables of a tenant that has no events. */
export async function storeSpecimens(
  database: Database,
  tenantId: TenantId,
  specimens: readonly Specimen[],
): Promise<void> {
  const all = specimens.map((specimen) => toRows(tenantId, specimen));
  const events = all.flatMap(({ events }) => events ?? []).sort((a, b) => a.received_at - b.received_at);
  const last = events.at(-1)?.received_at ?? 0;
  await database.transaction(async (tx) => {
    const placed = events.map((event, index) => ({ ...event, position: index + 1 }));
    await tx.insertMany('events', placed);
    await tx.insertMany('feed_heads', [
      { tenant_id: tenantId, position: events.length, chain_hash: Buffer.alloc(32, 7), received_at: last },
    ]);
    for (const table of Object.keys(all[0] ?? {}) as (keyof Rows)[]) {
      if (table === 'events') continue;
      const rows = all.flatMap((each) => (each[table] ?? []) as never[]);
      for (let from = 0; from < rows.length; from += 500)
        await tx.insertMany(table, rows.slice(from, from + 500));
    }
  });
}

function toRows(tenantId: TenantId, specimen: Specimen): Rows {
  const { atMs, lateEventAtMs, changedAtMs = atMs } = specimen;
  const lastSeenAtMs = changedAtMs === atMs ? atMs - 1000 : changedAtMs;
  const id = (prefix: string) => createId(prefix, atMs);
  const [threatId, alertId] = [id(ID_PREFIXES.threat), id(ID_PREFIXES.alert)];
  const about = { tenant_id: tenantId, device_id: 'dev_a', threat_category: 'phishing' };
  const arrivals = [atMs, ...(lateEventAtMs === undefined ? [] : [lateEventAtMs])];
  const events = arrivals.map((receivedAtMs) => toEvent(about, { receivedAtMs, atMs, threatId, alertId }));
  return {
    events,
    deliveries: events.map((event) => toDelivery(tenantId, event)),
    threats: [
      {
        ...about,
        threat_id: threatId,
        confidence: 0.9,
        severity: 'high',
        status: 'active',
        detected_at: atMs - 1000,
        last_seen_at: lastSeenAtMs,
        description: null,
        indicators: '[]',
        event_count: 1,
      },
    ],
    alerts: [
      {
        ...about,
        alert_id: alertId,
        severity: 'high',
        title: 'x',
        status: 'open',
        event_ids: '[]',
        threat_id: threatId,
        incident_id: null,
        merge_key: null,
        first_event_at: atMs,
        created_at: atMs,
        updated_at: changedAtMs,
      },
    ],
    sightings: [{ ...about, correlation_key: id('key'), threat_id: threatId, last_seen_at: lastSeenAtMs }],
    ...toIncident(tenantId, specimen, { threatId, alertId }),
    ...toJob(tenantId, specimen),
    scans: [{ tenant_id: tenantId, scan_id: id(ID_PREFIXES.scan), result: '{}', created_at: atMs }],
    audit_entries: [
      {
        tenant_id: tenantId,
        audit_id: id(ID_PREFIXES.audit),
        occurred_at: atMs,
        actor_type: 'token',
        actor_id: 'tok_x',
        action: 'specimen.make',
        resource_type: 'specimen',
        resource_id: 'x',
        outcome: 'success',
        request_id: null,
        detail: 'x',
        fields: '{}',
      },
    ],
  };
}

function toEvent(
  about: { tenant_id: string; device_id: string; threat_category: string },
  placed: { receivedAtMs: number; atMs: number; threatId: string; alertId: string },
): Insertable<Tables['events']> {
  const { receivedAtMs, atMs, threatId, alertId } = placed;
  const event_id = createId(ID_PREFIXES.event, receivedAtMs);
  return {
    ...about,
    position: 0,
    event_id,
    received_at: receivedAtMs,
    timestamp: atMs,
    severity: 'high',
    threat_id: threatId,
    alert_id: alertId,
    corrects_event_id: null,
    device_chain: 'unchained',
    event_hash: Buffer.alloc(32),
    chain_hash: Buffer.alloc(32),
    signed_digest: Buffer.alloc(32),
    body: JSON.stringify({ event_id, severity: 'high', action_taken: 'block' }),
  };
}

function toDelivery(tenantId: string, event: Insertable<Tables['events']>): Insertable<Tables['deliveries']> {
  return {
    tenant_id: tenantId,
    webhook_id: WEBHOOK_ID,
    event_id: event.event_id,
    test_body: null,
    delivery_id: createId(ID_PREFIXES.delivery, event.received_at),
    status: 'failed',
    due_at: null,
    leased_by: null,
    claims: 1,
    attempts: 1,
    created_at: event.received_at,
    last_attempt_at: null,
    last_status: null,
    last_error: null,
    last_response: null,
    last_duration_ms: null,
    dead_at: event.received_at,
  };
}

function toIncident(
  tenantId: string,
  { atMs, incident, crowd = 0, changedAtMs = atMs }: Specimen,
  { threatId, alertId }: { threatId: string; alertId: string },
): Rows {
  if (incident === 'none') return { incidents: [], incident_members: [], incident_timeline: [] };
  const belongs = { tenant_id: tenantId, incident_id: createId(ID_PREFIXES.incident, atMs) };
  const others = Array.from({ length: crowd }, () => createId(ID_PREFIXES.alert, atMs));
  return {
    incidents: [
      {
        ...belongs,
        category: 'phishing',
        correlation_key: 'dev_a',
        severity: 'high',
        message: 'x',
        status: incident === 'unresolved' ? 'on_hold' : 'resolved',
        resolution: null,
        assignee: null,
        tags: '[]',
        version: 1,
        created_at: atMs,
        last_event_at: atMs,
        updated_at: incident === 'ended_lately' ? Number.MAX_SAFE_INTEGER : changedAtMs,
      },
    ],
    incident_members: [
      { ...belongs, kind: 'alert', member_id: alertId },
      { ...belongs, kind: 'threat', member_id: threatId },
      ...others.map((member_id) => ({ ...belongs, kind: 'alert', member_id })),
    ],
    incident_timeline: Array.from({ length: crowd + 1 }, () => ({
      ...belongs,
      entry_id: createId('itl', atMs),
      at: atMs,
      kind: 'opened',
      actor: 'x',
      message: 'x',
    })),
  };
}

function toJob(tenantId: string, { atMs, jobStatus, changedAtMs = atMs }: Specimen): Rows {
  const job = { tenant_id: tenantId, job_id: createId(ID_PREFIXES.job, atMs) };
  const trace = { ...job, trace_id: createId(ID_PREFIXES.trace, atMs) };
  const stepIds = [createId(ID_PREFIXES.step, atMs), createId(ID_PREFIXES.step, atMs)];
  return {
    jobs: [
      {
        ...trace,
        workflow_id: 'x',
        status: jobStatus,
        input_refs: '[]',
        artifact_refs: '[]',
        max_runs: 1,
        run_count: 1,
        next_step: null,
        review: null,
        reviewed_by: null,
        error_code: null,
        subject_id: null,
        created_at: atMs,
        created_by: 'x',
        updated_at: changedAtMs,
        version: 1,
        due_at: null,
        leased_by: null,
        claims: 1,
        fruitless_claims: 0,
      },
    ],
    traces: [{ ...trace, run: 1, input_refs: '[]', final_status: null, created_at: atMs }],
    trace_steps: stepIds.map((step_id) => ({
      ...trace,
      step_id,
      run: 1,
      step_type: 'x',
      status: 'succeeded',
      error_code: null,
      guardrail_result: 'passed',
      started_at: null,
      finished_at: null,
      output: null,
    })),
    artifacts: [
      {
        ...trace,
        artifact_id: createId(ID_PREFIXES.artifact, atMs),
        step_id: stepIds[0] ?? '',
        kind: 'timeline',
        media_type: 'x',
        size_bytes: 1,
        sha256: 'x',
        created_at: atMs,
        content: 'x',
      },
    ],
    job_inputs: [{ ...job, input_ref: createId(ID_PREFIXES.incident, atMs) }],
  };
}
