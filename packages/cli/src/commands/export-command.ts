import { dirname, relative, resolve } from 'node:path';
import type { Client, Event } from '@tps/client';
import { countOf } from '@tps/contract/vocabulary';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { commandTarget } from '../export/command-target.ts';
import { type ExportPosition, readPosition, writePosition } from '../export/cursor-file.ts';
import { exportEvents } from '../export/export-events.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../export/export-formats.ts';
import { type ExportTarget, fileTarget, outputTarget } from '../export/export-target.ts';
import { usageError } from '../output/command-error.ts';
import { createOutageReport } from '../output/report-outage.ts';
import { openSession } from '../session.ts';
import { omitUndefined } from './api-command.ts';
import { examples } from './examples.ts';
import { choice, SEVERITIES, THREAT_CATEGORIES, toTime } from './values.ts';

interface Options {
  readonly format: ExportFormat;
  readonly syslog?: true;
  readonly output?: string;
  readonly toCommand?: string;
  readonly cursorFile?: string;
  readonly follow?: true;
  readonly since?: string;
  readonly severity?: Event['severity'];
  readonly threatCategory?: Event['threat_category'];
  readonly deviceId?: string;
}

/** Interval between two progress updates. */
const PROGRESS_EVERY_MS = 500;

const NOTES = `
Events are written oldest first, in bounded memory. With --cursor-file an export continues where the last one ended.
That requires a destination that confirms: --output or --to-command.
With --output, a page counts as exported when it is on disk: the file has no gaps and no duplicates, also after a kill.
With --to-command, a shell command runs for each page and reads it from its standard input. Exit code 0 acknowledges the
page; the command must read all of it, and fail unless the receiver has it. After any other end the page is sent again
after a growing pause: with --follow until you stop the export, otherwise up to 5 times. A command that runs for five
minutes is ended, and counts as failed. Each event arrives at least once: remove duplicates by the event id.
Use one cursor file per set of filters. --since applies to the first export with a cursor file.
`;

/** Adds `tps export`. */
export function addExportCommand(program: Command, context: CommandContext): void {
  program
    .command('export')
    .description('write events as NDJSON, OCSF findings, CEF lines or STIX bundles')
    .addOption(new Option('--format <format>', 'output format').choices(EXPORT_FORMATS).default('ndjson'))
    .option('--syslog', 'add an RFC 5424 header to each line (with --format cef)')
    .option('--output <file>', 'write to this file (default: the standard output)')
    .option(
      '--to-command <command>',
      'run this shell command for each page, with the page on its standard input',
    )
    .option('--cursor-file <file>', 'continue where the last export with this file ended')
    .option('--follow', 'keep waiting for new events, until stopped')
    .option('--since <time>', 'only events from this time on, RFC 3339 or relative, such as 24h', toTime)
    .addOption(choice('--severity <severity>', 'only events of this severity', SEVERITIES))
    .addOption(choice('--threat-category <category>', 'only events of this category', THREAT_CATEGORIES))
    .option('--device-id <id>', 'only events of this device')
    .addHelpText(
      'after',
      NOTES +
        examples(
          'tps export --format ndjson > events.ndjson',
          'tps export --format ocsf --cursor-file ocsf.cursor --output findings.ndjson',
          `tps export --follow --cursor-file siem.cursor --to-command 'curl -sSf --data-binary @- https://siem.example.com'`,
          'tps export --format cef --syslog --follow | nc siem.example.com 601',
          'tps export --format stix --severity critical --since 24h',
        ),
    )
    .action(async (options: Options, command: Command) => {
      requireValid(options);
      await runExport(context, options, command);
    });
}

function requireValid({ syslog, format, output, toCommand, cursorFile }: Options): void {
  if (syslog && format !== 'cef') throw usageError('--syslog requires --format cef.');
  if (output && toCommand) throw usageError('--output cannot be combined with --to-command.');
  // A pipe takes bytes that its reader may never process.
  if (cursorFile && !output && !toCommand)
    throw usageError(
      '--cursor-file requires --output or --to-command, because a pipe does not confirm that its reader has the events.',
    );
}

async function runExport(context: CommandContext, options: Options, command: Command): Promise<void> {
  const session = openSession(context, command);
  const cursorFile = options.cursorFile && resolve(context.directory, options.cursorFile);
  const output = options.output && resolve(context.directory, options.output);
  const known = cursorFile ? await readPosition(cursorFile) : undefined;
  // Relative to the directory of the cursor file, so that both can be moved together.
  const name = output && cursorFile ? relative(dirname(cursorFile), output) : null;
  if (known) requireSameOutput(known, name);
  const start = known ?? {
    cursor: null,
    outputBytes: 0,
    output: name,
    events: 0,
    since: options.since ?? null,
  };
  // Slow to load: the formats recognize domains.
  const { toFormatter } = await import('../export/export-format.ts');
  const client = await session.client();
  const query = { ...(await session.tenant()), ...toQuery(options, start) };
  const target = await openTarget(context, { ...options, output, writtenBytes: known?.outputBytes });
  const progress = createProgress(context, Boolean(output));
  const save = cursorFile ? (position: ExportPosition) => writePosition(cursorFile, position) : undefined;
  try {
    // After this, a cursor file without a position belongs to an output that is still empty.
    if (!known) await save?.({ ...start, outputBytes: await target.settle() });
    const events = await exportEvents({
      pages: readPages(client, context, { ...query, follow: options.follow ?? false, start }),
      format: toFormatter(options.format, { withSyslogHeader: options.syslog ?? false }),
      target,
      start,
      save,
      onProgress: progress.show,
    });
    await progress.end(events, { ...options, output });
  } finally {
    await target.close();
  }
}

function openTarget(
  context: CommandContext,
  {
    output,
    writtenBytes,
    toCommand,
    follow,
  }: Pick<Options, 'toCommand' | 'follow'> & {
    readonly output: string | undefined;
    readonly writtenBytes: number | null | undefined;
  },
): ExportTarget | Promise<ExportTarget> {
  if (output) return fileTarget(output, writtenBytes);
  if (!toCommand) return outputTarget(context.stdout);
  return commandTarget(toCommand, { context, stop: context.stopSignal(), isEndless: follow === true });
}

/** The output is truncated to the recorded length, which would destroy another file. */
function requireSameOutput({ output }: ExportPosition, name: string | null): void {
  if (output === name) return;
  const previous = output === null ? 'a command' : JSON.stringify(output);
  throw usageError(
    `The last export with this cursor file was written to ${previous}. Use another --cursor-file.`,
  );
}

type ListOptions = NonNullable<Parameters<Client['events']['list']>[0]>;

function toQuery({ severity, threatCategory, deviceId }: Options, { since }: ExportPosition): ListOptions {
  return omitUndefined({
    since: since ?? undefined,
    severity,
    threat_category: threatCategory,
    device_id: deviceId,
  });
}

function readPages(
  client: Client,
  context: CommandContext,
  { follow, start, ...query }: ListOptions & { follow: boolean; start: ExportPosition },
) {
  const at = { ...query, ...(start.cursor === null ? {} : { cursor: start.cursor }) };
  if (!follow) return client.events.list(at).pages();
  const onOutage = createOutageReport(context);
  return client.events.follow({ ...at, signal: context.stopSignal(), onOutage }).pages();
}

/** Shows the progress on a terminal, and the number of events at the end. */
function createProgress({ stderr }: CommandContext, toFile: boolean) {
  // No counter between the events when they are printed on the same terminal.
  const isShown = stderr.isTerminal && toFile;
  let shownAt = 0;
  return {
    async show(events: number): Promise<void> {
      if (!isShown || performance.now() - shownAt < PROGRESS_EVERY_MS) return;
      shownAt = performance.now();
      await stderr.write(`\r${countOf(events, 'event')}`);
    },
    async end(
      events: number,
      { output, toCommand }: Pick<Options, 'toCommand'> & { output: string | undefined },
    ): Promise<void> {
      const counted = countOf(events, 'event');
      if (output) await stderr.write(`${isShown ? '\r' : ''}${counted} written to ${output}\n`);
      else if (toCommand) await stderr.write(`${counted} acknowledged by the command\n`);
    },
  };
}
