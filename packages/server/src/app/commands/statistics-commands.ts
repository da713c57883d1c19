import type { Command } from 'commander';
import { COMMAND_LINE } from '../../features/audit/index.ts';
import { type RebuiltStatistics, rebuildStatistics } from '../../features/maintenance/index.ts';
import { serviceStatisticsStore } from '../../features/statistics/index.ts';
import { tenantStore } from '../../features/tenants/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { notFound } from '../../platform/service-error.ts';
import { toTimestamp } from '../../platform/time.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';
import { toTable } from './table.ts';
import { withStore } from './with-store.ts';

/** Adds the commands for the counts of all tenants. */
export function addStatisticsCommands(program: Command, context: CommandContext): void {
  const statistics = program
    .command('statistics')
    .description('count statistics again, and show those of the whole service')
    .addHelpText('after', '\nExamples:\n  tps statistics rebuild\n  tps statistics service --json');
  addRebuild(statistics, context);
  addService(statistics, context);
}

function addRebuild(statistics: Command, { env, stdout }: CommandContext): void {
  statistics
    .command('rebuild')
    .description('count events, alerts, incidents and scans again from what is stored')
    .option('--tenant <id>', 'only this tenant')
    .addOption(jsonOption('array with members tenant_id, events, incidents, scans'))
    .addHelpText(
      'after',
      `
The command can run beside the service and can be stopped at any moment. Counts of days whose data was purged stay, and
so do those of deliveries. It is needed after an upgrade from a version without statistics.

Examples:
  tps statistics rebuild
  tps statistics rebuild --tenant tnt_0123`,
    )
    .action(({ tenant, json }: { tenant?: string; json?: true }) =>
      withStore(env, async ({ database, config }) => {
        const tenants = await tenantStore.list(database.read);
        const chosen = tenants.filter((each) => tenant === undefined || each === tenant);
        if (tenant !== undefined && chosen.length === 0) throw notFound('tenant');
        const rebuilt: RebuiltStatistics[] = [];
        for (const tenantId of chosen) {
          const parts = { database, clock: systemClock, config: config.retention, actor: COMMAND_LINE };
          rebuilt.push(await rebuildStatistics(tenantId, parts));
        }
        stdout(json ? toJsonText(rebuilt.map(toJson)) : toText(rebuilt));
      }),
    );
}

function addService(statistics: Command, { env, stdout }: CommandContext): void {
  statistics
    .command('service')
    .description('show the day counts of the whole service that are older than 24 months')
    .addOption(jsonOption('array with members day, name, count'))
    .addHelpText('after', '\nExamples:\n  tps statistics service\n  tps statistics service --json')
    .action(({ json }: { json?: true }) =>
      withStore(env, async ({ database }) => {
        const counts = await serviceStatisticsStore.list(database.read);
        const rows = counts.map(({ dayMs, name, count }) => ({ day: toDay(dayMs), name, count }));
        if (json) stdout(toJsonText(rows));
        else if (rows.length === 0) stdout('No statistics are older than 24 months.');
        else
          stdout(
            toTable(
              ['DAY', 'NAME', 'COUNT'],
              rows.map(({ day, name, count }) => [day, name, String(count)]),
            ),
          );
      }),
    );
}

function toDay(dayMs: number): string {
  return toTimestamp(dayMs).slice(0, 10);
}

function toJson({ tenantId, events, incidents, scans }: RebuiltStatistics) {
  return { tenant_id: tenantId, events, incidents, scans };
}

function toText(rebuilt: readonly RebuiltStatistics[]): string {
  if (rebuilt.length === 0) return 'There is no tenant.';
  return toTable(
    ['TENANT', 'EVENTS', 'INCIDENTS', 'SCANS'],
    rebuilt.map(({ tenantId, events, incidents, scans }) => [
      tenantId,
      String(events),
      String(incidents),
      String(scans),
    ]),
  );
}
