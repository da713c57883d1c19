import { hash } from 'node:crypto';
import type { ScanResult } from '@tps/contract';
import type { Selectable } from 'kysely';
import type { ReadQueries } from '../../../database/index.ts';
import type { Row, Tables } from '../../../database/tables/index.ts';
import { timeOfId } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { deliveryIdOf } from '../../webhooks/index.ts';
import * as derivedReadModel from './derived-read-model.ts';
import { FindingCollector, type Findings } from './finding.ts';
import { existing, pagesOf } from './rows-read-model.ts';

/** How the rows of a table are compared with the rows that they refer to. */
interface RowCheck<T extends keyof Tables & string> {
  readonly table: T;
  readonly key: readonly (keyof Tables[T] & string)[];
  /** The column that identifies a row among those of the tenant. */
  readonly id: keyof Tables[T] & string;
  /** Returns the problem of each wrong row, by id. */
  readonly compare: (rows: readonly Selectable<Tables[T]>[]) => Promise<Map<string, string>>;
}

/** Artifacts: their content against size and digest, and their job, run and step. */
export function verifyArtifacts(queries: ReadQueries, tenantId: TenantId): Promise<Findings> {
  return verifyRows(queries, tenantId, {
    table: 'artifacts',
    key: ['artifact_id'],
    id: 'artifact_id',
    async compare(rows) {
      const traces = await findTraces(queries, tenantId, rows);
      const steps = await find(queries, tenantId, 'trace_steps', { column: 'step_id', rows });
      return problemsOf(rows, 'artifact_id', (row) => whyArtifactDiffers(row, { traces, steps }));
    },
  });
}

function whyArtifactDiffers(
  row: Row<'artifacts'>,
  { traces, steps }: { traces: ReadonlyMap<string, string>; steps: ReadonlySet<string> },
): string | undefined {
  const name = `artifact ${row.artifact_id}`;
  if (row.sha256 !== hash('sha256', row.content)) return `${name} was changed: it does not match its digest`;
  if (row.size_bytes !== Buffer.byteLength(row.content))
    return `size_bytes of ${name} differs from its content`;
  if (traces.get(row.trace_id) !== row.job_id) return `${name} does not belong to a run of its job`;
  return steps.has(row.step_id) ? undefined : `${name} does not belong to a step`;
}

/** Jobs: the artifacts and the run that they name. */
export function verifyJobs(queries: ReadQueries, tenantId: TenantId): Promise<Findings> {
  return verifyRows(queries, tenantId, {
    table: 'jobs',
    key: ['job_id'],
    id: 'job_id',
    async compare(rows) {
      const named = rows.flatMap((row) => artifactsOf(row).map((artifact_id) => ({ artifact_id })));
      const column = 'artifact_id';
      const artifacts = await find(queries, tenantId, 'artifacts', { column, rows: named });
      return problemsOf(rows, 'job_id', (row: Row<'jobs'>) => {
        const missing = artifactsOf(row).find((id) => !artifacts.has(id));
        return missing && `artifact ${missing} of job ${row.job_id} is missing`;
      });
    },
  });
}

function artifactsOf(row: Row<'jobs'>): string[] {
  return JSON.parse(row.artifact_refs) as string[];
}

/** Runs: their job. */
export function verifyTraces(queries: ReadQueries, tenantId: TenantId): Promise<Findings> {
  return verifyRows(queries, tenantId, {
    table: 'traces',
    key: ['trace_id'],
    id: 'trace_id',
    async compare(rows) {
      const jobs = await find(queries, tenantId, 'jobs', { column: 'job_id', rows });
      return problemsOf(rows, 'trace_id', (row: Row<'traces'>) =>
        jobs.has(row.job_id) ? undefined : `run ${row.trace_id} does not belong to a job`,
      );
    },
  });
}

/** Steps: their run and its job. */
export function verifySteps(queries: ReadQueries, tenantId: TenantId): Promise<Findings> {
  return verifyRows(queries, tenantId, {
    table: 'trace_steps',
    key: ['trace_id', 'step_id'],
    id: 'step_id',
    async compare(rows) {
      const traces = await findTraces(queries, tenantId, rows);
      return problemsOf(rows, 'step_id', (row: Row<'trace_steps'>) =>
        traces.get(row.trace_id) === row.job_id
          ? undefined
          : `step ${row.step_id} does not belong to a run of its job`,
      );
    },
  });
}

/** Scans: their id and time against the stored result. */
export function verifyScans(queries: ReadQueries, tenantId: TenantId): Promise<Findings> {
  return verifyRows(queries, tenantId, {
    table: 'scans',
    key: ['scan_id'],
    id: 'scan_id',
    compare: async (rows) =>
      problemsOf(rows, 'scan_id', (row: Row<'scans'>) => {
        const { scan_id, scanned_at } = JSON.parse(row.result) as ScanResult;
        return scan_id === row.scan_id && Date.parse(scanned_at) === row.created_at
          ? undefined
          : `id or time of scan ${row.scan_id} differ from its result`;
      }),
  });
}

/** Deliveries: their webhook, their event, and their id, which follows from both. */
export function verifyDeliveries(queries: ReadQueries, tenantId: TenantId): Promise<Findings> {
  return verifyRows(queries, tenantId, {
    table: 'deliveries',
    key: ['webhook_id', 'delivery_id'],
    id: 'delivery_id',
    async compare(rows) {
      const webhooks = await find(queries, tenantId, 'webhooks', { column: 'webhook_id', rows });
      const ofFeed = rows.filter((row) => row.test_body === null).map((row) => row.event_id);
      const found = await derivedReadModel.listEvents(queries, tenantId, ofFeed);
      const events = new Map(found.map((event) => [event.event_id, event]));
      const first = await derivedReadModel.findFirstKept(queries, tenantId);
      const isKept = (deliveryId: string) =>
        first !== undefined && timeOfId(deliveryId) >= first.receivedAtMs;
      return problemsOf(rows, 'delivery_id', (row: Row<'deliveries'>) => {
        const name = `delivery ${row.delivery_id}`;
        if (!webhooks.has(row.webhook_id)) return `${name} does not belong to a webhook`;
        if (row.test_body !== null) return undefined;
        const event = events.get(row.event_id);
        if (!event) return isKept(row.delivery_id) ? `${name} has no event` : undefined;
        const { event_id: eventId, position, received_at: receivedAtMs } = event;
        const expected = deliveryIdOf(row.webhook_id, { tenantId, eventId, position, receivedAtMs });
        return expected === row.delivery_id ? undefined : `${name} does not belong to its event and webhook`;
      });
    },
  });
}

async function verifyRows<T extends keyof Tables & string>(
  queries: ReadQueries,
  tenantId: TenantId,
  { table, key, id, compare }: RowCheck<T>,
): Promise<Findings> {
  const collector = new FindingCollector();
  for await (const rows of pagesOf(queries, table, { tenantId, key })) {
    const problems = await compare(rows);
    // What a row refers to is removed together with the row: one that is gone by now was not wrong.
    const there = await existing(queries, table, { tenantId, column: id, values: [...problems.keys()] });
    for (const row of rows) {
      const rowId = String(row[id as keyof typeof row]);
      collector.add(there.has(rowId) ? problems.get(rowId) : undefined);
    }
  }
  return collector.findings();
}

/** Returns which of the rows' references exist. */
function find<T extends keyof Tables & string, Column extends keyof Tables[T] & string>(
  queries: ReadQueries,
  tenantId: TenantId,
  table: T,
  { column, rows }: { column: Column; rows: readonly Readonly<Record<Column, string>>[] },
): Promise<Set<string>> {
  return existing(queries, table, { tenantId, column, values: rows.map((row) => row[column]) });
}

/** Returns the job of each run. */
async function findTraces(
  queries: ReadQueries,
  tenantId: TenantId,
  rows: readonly { readonly trace_id: string }[],
): Promise<Map<string, string>> {
  const traceIds = [...new Set(rows.map((row) => row.trace_id))];
  const traces = await derivedReadModel.findTraces(queries, tenantId, traceIds);
  return new Map(traces.map((trace) => [trace.trace_id, trace.job_id]));
}

function problemsOf<Row extends object, Id extends keyof Row>(
  rows: readonly Row[],
  id: Id,
  compare: (row: Row) => string | undefined,
): Map<string, string> {
  return new Map(
    rows.flatMap((row) => {
      const problem = compare(row);
      return problem === undefined ? [] : [[String(row[id]), problem] as const];
    }),
  );
}
