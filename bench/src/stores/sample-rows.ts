import { toSqlitePath } from '@tps/server/store';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';

/** The tables whose rows the bare loops insert, in the order of their keys. */
const TABLES = {
  events: 'position',
  alerts: 'alert_id',
  incident_members: 'incident_id, kind, member_id',
} as const;
export type SampleTable = keyof typeof TABLES;
export const SAMPLE_TABLES = Object.keys(TABLES) as SampleTable[];

/** More events would only make the start of the loop longer. */
const MAX_EVENTS = 20_000;

/** Rows as the service wrote them: the columns, then the values of each row. */
export interface SampleRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export type SampleTables = Readonly<Record<SampleTable, SampleRows>>;

/** Reads the first events that the service has stored, their alerts, and the incident members of those alerts. */
export async function readSampleRows(url: string): Promise<SampleTables> {
  const query = url.startsWith('sqlite:') ? await openSqlite(url) : await openPostgres(url);
  try {
    const events = await query.all(`select * from events order by position limit ${MAX_EVENTS}`);
    const of = async (table: SampleTable, where: string) =>
      toSampleRows(await query.all(`select * from ${table} where ${where} order by ${TABLES[table]}`));
    const early = `select alert_id from events where position <= ${MAX_EVENTS} and alert_id is not null`;
    return {
      events: toSampleRows(events),
      alerts: await of('alerts', `alert_id in (${early})`),
      incident_members: await of('incident_members', `kind = 'alert' and member_id in (${early})`),
    };
  } finally {
    await query.close();
  }
}

type Query = { all(text: string): Promise<Record<string, unknown>[]>; close(): Promise<void> };

async function openSqlite(url: string): Promise<Query> {
  const handle = new SqliteDatabase(toSqlitePath(url), { readonly: true });
  return {
    all: async (text) => handle.prepare<[], Record<string, unknown>>(text).all(),
    close: async () => void handle.close(),
  };
}

async function openPostgres(url: string): Promise<Query> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { all: async (text) => (await client.query(text)).rows, close: () => client.end() };
}

function toSampleRows(rows: readonly Record<string, unknown>[]): SampleRows {
  const columns = Object.keys(rows[0] ?? {});
  return { columns, rows: rows.map((row) => columns.map((column) => row[column])) };
}
