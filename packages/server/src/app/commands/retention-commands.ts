import { countOf } from '@tps/contract/vocabulary';
import { type Command, InvalidArgumentError } from 'commander';
import { COMMAND_LINE } from '../../features/audit/index.ts';
import {
  DATA_CLASSES,
  type DataClass,
  DESCRIPTIONS,
  MAX_DAYS,
  type PurgeResult,
  purge,
  RetentionService,
} from '../../features/maintenance/index.ts';
import { COUNT_LIMIT } from '../../features/tenants/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { toTimestamp } from '../../platform/time.ts';
import { toWholeNumber } from './arguments.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';
import { toCountLine, toTable } from './table.ts';
import { withStore } from './with-store.ts';

const toDays = toWholeNumber([1, MAX_DAYS], 'default');
/** Fixed by the contract of webhooks, for all tenants. */
const REPORT_EVERY_MS = 2_000;

const DELIVERIES = ['deliveries', '7', 'fixed', 'deliveries and dead letters, after their last attempt'];

export function addRetentionCommands(program: Command, context: CommandContext): void {
  const retention = program
    .command('retention')
    .description('show and set how long data is kept, and purge older data')
    .addHelpText('after', '\nExamples:\n  tps retention show\n  tps retention run --dry-run');
  addShow(retention, context);
  addSet(retention, context);
  addRun(retention, context);
}

function addShow(retention: Command, { env, stdout }: CommandContext): void {
  retention
    .command('show')
    .description('show how long each class of data is kept')
    .option('--tenant <id>', 'a tenant (default: tenants without their own settings)')
    .addOption(jsonOption('tenant_id, classes (data_class, days, set_by, description)'))
    .addHelpText('after', '\nExamples:\n  tps retention show --tenant tnt_0123\n  tps retention show --json')
    .action(({ tenant, json }: { tenant?: string; json?: true }) =>
      withStore(env, async ({ database, config }) => {
        const service = new RetentionService({ database, clock: systemClock, config: config.retention });
        const retention = await service.get(tenant);
        const rows = DATA_CLASSES.map((dataClass) => {
          const { days, setBy } = retention[dataClass];
          return [dataClass, String(days), setBy, DESCRIPTIONS[dataClass]];
        });
        const all = [...rows, DELIVERIES];
        stdout(
          json
            ? toJsonText({ tenant_id: tenant ?? null, classes: all.map(toClassJson) })
            : toTable(['CLASS', 'DAYS', 'SET BY', 'WHAT'], all),
        );
      }),
    );
}

function addSet(retention: Command, { env }: CommandContext): void {
  retention
    .command('set')
    .argument('<tenant>')
    .argument('<class>', DATA_CLASSES.join(', '), toDataClass)
    .argument('<days>', `1 to ${MAX_DAYS}, or "default" for the setting of the service`, toDays)
    .description('set how long a class of a tenant’s data is kept')
    .addHelpText(
      'after',
      `
Older data is deleted permanently within the hour; "retention run --dry-run" shows how much that is.
A shorter time for events does not reject any: SERVICE_EVENT_RETENTION_DAYS decides for all tenants which events are
too old to be accepted. An event that is sent again after it was purged is therefore stored as a new event, and opens
an alert, perhaps an incident, and deliveries again.

Examples:
  tps retention set tnt_0123 events 30
  tps retention set tnt_0123 events default`,
    )
    .action((tenantId: string, dataClass: DataClass, days: number | null) =>
      withStore(env, ({ database, config }) =>
        new RetentionService({ database, clock: systemClock, config: config.retention }).set(tenantId, {
          dataClass,
          days,
        }),
      ),
    );
}

function addRun(retention: Command, { env, stdout, stderr }: CommandContext): void {
  retention
    .command('run')
    .description('purge expired data now, as the service does every hour')
    .option('--dry-run', 'show what would be removed, and remove nothing')
    .option('--tenant <id>', 'only this tenant')
    .addOption(
      jsonOption(
        'dry_run, deleted_tenants (tenant_id, rows), results (tenant_id, data_class, days, set_by, cutoff, rows)',
      ),
    )
    .addHelpText(
      'after',
      `
The command can run beside the service and can be stopped at any moment: the next run continues. Deleted tenants
whose grace period is over are purged first; a dry run counts at most ${COUNT_LIMIT + 1} rows of each of their tables.
Data of unresolved incidents is kept.

Examples:
  tps retention run --dry-run
  tps retention run --tenant tnt_0123`,
    )
    .action(({ dryRun = false, tenant, json }: { dryRun?: boolean; tenant?: string; json?: true }) =>
      withStore(env, async ({ database, config }) => {
        const { signal, release } = stopOnSignal('What was removed stays removed; the next run continues.');
        const report = reportNowAndThen(stderr);
        try {
          const purged = await purge({
            database,
            clock: systemClock,
            config: config.retention,
            actor: COMMAND_LINE,
            dryRun,
            tenantId: tenant,
            signal,
            onProgress: ({ tenantId, rows }) => report(`${tenantId ?? 'no tenant'}: ${toCountLine(rows)}`),
          });
          stdout(json ? toJsonText(toJson(purged, dryRun)) : toText(purged, dryRun));
        } finally {
          release();
        }
      }),
    );
}

function toClassJson([dataClass, days, setBy, description]: readonly string[]) {
  return { data_class: dataClass, days: Number(days), set_by: setBy, description };
}

function toDataClass(text: string): DataClass {
  const known = DATA_CLASSES.find((dataClass) => dataClass === text);
  if (!known) throw new InvalidArgumentError(`Use one of ${DATA_CLASSES.join(', ')}.`);
  return known;
}

/** Omits tenants without expired data: there may be many. */
function toText({ deleted, results }: PurgeResult, dryRun: boolean): string {
  const rows = [
    ...deleted.map(({ tenantId, rows }) => {
      return [tenantId, 'everything', '', '', toCountLine(rows, dryRun ? COUNT_LIMIT : undefined)];
    }),
    ...results
      .filter((result) => Object.keys(result.rows).length > 0)
      .map(({ tenantId, dataClass, days, cutoffMs, rows }) => {
        return [tenantId ?? '-', dataClass, String(days), toTimestamp(cutoffMs), toCountLine(rows)];
      }),
  ];
  const checked = new Set(results.map(({ tenantId }) => tenantId).filter((each) => each !== null)).size;
  const verb = dryRun ? 'would be removed' : 'removed';
  const total = [...deleted, ...results].flatMap((each) => Object.values(each.rows));
  const sum = `${countOf(
    total.reduce((a, b) => a + b, 0),
    'row',
  )} ${verb}; tenants checked at: ${checked + deleted.length}`;
  if (rows.length === 0) return sum;
  return `${toTable(['TENANT', 'CLASS', 'DAYS', 'OLDER THAN', verb.toUpperCase()], rows)}\n${sum}`;
}

function toJson({ deleted, results }: PurgeResult, dryRun: boolean) {
  return {
    dry_run: dryRun,
    deleted_tenants: deleted.map(({ tenantId, rows }) => ({ tenant_id: tenantId, rows })),
    results: results.map((result) => ({
      tenant_id: result.tenantId,
      data_class: result.dataClass,
      days: result.days,
      set_by: result.setBy,
      cutoff: toTimestamp(result.cutoffMs),
      rows: result.rows,
    })),
  };
}

/** Returns a signal that SIGINT or SIGTERM aborts with this message. */
function stopOnSignal(message: string): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error(`Stopped. ${message}`));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const release = () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  return { signal: controller.signal, release };
}

/** Returns a reporter that prints a line at most every two seconds. */
function reportNowAndThen(stderr: CommandContext['stderr']): (line: string) => void {
  let reportedAtMs = performance.now();
  return (line) => {
    if (performance.now() - reportedAtMs < REPORT_EVERY_MS) return;
    reportedAtMs = performance.now();
    stderr(line);
  };
}
