import { type Database, statisticsRoutes, systemClock, type TenantId } from '@tps/server/store';
import { percentile } from '../figures.ts';
import { withCpuSeconds } from '../process-usage.ts';
import { timeEach } from '../time-each.ts';

const HOUR_MS = 3_600_000;
const HOURS = 366 * 24;
const EVENTS = 5_000_000;
const PER_HOUR = Math.round(EVENTS / HOURS);
const TENANT = 'tnt_year' as TenantId;

const WHAT = {
  'a year of events by day': 'measures=events',
  'a year of events by day and category': 'measures=events&breakdown=category',
  'a year of everything by day': '',
  'a year of everything by day, with every breakdown': 'breakdown=category,action,severity,platform,verdict',
} as const;

export interface ReadingTimes {
  readonly what: string;
  /** One reading in ten is faster: what it takes while other programs leave the processor alone. */
  readonly p10Ms: number;
  readonly p50Ms: number;
  /** Processor time of this process and of the PostgreSQL server. */
  readonly cpuMs: number;
}

/**
 * Reads a year of a tenant with 5 million events, with a row in every hour of every table. The rows are written directly:
 * reading depends on the number of hours, not on that of the events behind them.
 */
export async function measureReading(
  database: Database,
  { seconds, serverPid }: { seconds: number; serverPid: number | undefined },
): Promise<ReadingTimes[]> {
  const nowMs = systemClock.now();
  await fillYear(database, nowMs - (nowMs % HOUR_MS));
  const [route] = statisticsRoutes({ database, clock: systemClock });
  const since = new Date(nowMs - 365 * 24 * HOUR_MS).toISOString();
  const results: ReadingTimes[] = [];
  for (const [what, query] of Object.entries(WHAT)) {
    const parameters = Object.fromEntries(new URLSearchParams(query));
    const exchange = { tenantId: TENANT, query: { since, interval: 'day', ...parameters } };
    const times: number[] = [];
    const repeat = () =>
      timeEach({ seconds, warmUp: 0.5 }, async () => {
        const startedAt = performance.now();
        const reply = await route?.handle(exchange as never);
        JSON.stringify(reply && 'body' in reply ? reply.body : undefined);
        times.push(performance.now() - startedAt);
      });
    const before = process.cpuUsage();
    const { result, cpuSeconds } = serverPid
      ? await withCpuSeconds(serverPid, repeat)
      : { result: await repeat(), cpuSeconds: 0 };
    const { user, system } = process.cpuUsage(before);
    const cpuMs = ((user + system) / 1000 + cpuSeconds * 1000) / times.length;
    const p10Ms = percentile(Float64Array.from(times).sort(), 0.1);
    results.push({ what, p10Ms, p50Ms: result.p50Ms, cpuMs });
  }
  return results;
}

async function fillYear(database: Database, untilMs: number): Promise<void> {
  const hours = Array.from({ length: HOURS }, (_, index) => untilMs - index * HOUR_MS);
  const row = (table: keyof typeof COLUMNS, hour: number) => ({
    tenant_id: TENANT,
    hour,
    ...Object.fromEntries(COLUMNS[table].map((column) => [column, PER_HOUR])),
  });
  await database.transaction(async (tx) => {
    for (const table of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) {
      for (let from = 0; from < hours.length; from += 1_000) {
        const rows = hours.slice(from, from + 1_000).map((hour) => row(table, hour));
        await tx.insertMany(table, rows as never);
      }
    }
  });
}

const COLUMNS = {
  event_statistics: ['action_allow', 'category_phishing', 'severity_low', 'platform_ios', 'devices_of_day'],
  incident_statistics: ['opened_phishing', 'resolved_phishing', 'acknowledged_in_1h', 'acknowledge_ms'],
  delivery_statistics: ['delivered', 'failed', 'dead'],
  scan_statistics: ['verdict_allow'],
} as const;
