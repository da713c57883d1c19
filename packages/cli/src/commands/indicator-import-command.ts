import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { groupSkipped } from '../indicators/group-skipped.ts';
import { createRateShare } from '../indicators/rate-share.ts';
import { type Feed, type FeedFlags, readFeed } from '../indicators/read-feed.ts';
import { type ImportTotals, sendIndicators, toNewIndicator } from '../indicators/send-indicators.ts';
import { usageError } from '../output/command-error.ts';
import { printFields } from '../output/print.ts';
import { sanitizeLine } from '../output/sanitize.ts';
import { openSession, programOptions, type Session } from '../session.ts';
import { examples } from './examples.ts';
import { handOver } from './operator-commands.ts';
import { choice, INDICATOR_TYPES, THREAT_CATEGORIES, toShare, wholeNumber } from './values.ts';

interface Flags extends FeedFlags {
  readonly replace?: true;
  readonly global?: true;
  readonly dryRun?: true;
}

const FORMATS = ['auto', 'stix', 'misp', 'csv', 'list', 'stalkerware', 'lolrmm'] as const;
/** As many as a service keeps for one tenant. */
const MAX_INDICATORS = 200_000;
const MAX_VALID_DAYS = 3650;
const CLEAR_LINE = '\r\u001b[K';

const NOTES = `
The file is read on this machine: STIX 2.1 bundles, MISP events, CSV and plain lists of domains, addresses, hashes or
package names, the YAML of stalkerware-indicators and of LOLRMM. What cannot be an indicator is left out, and said why.
With --replace whatever else the source has is removed together with the last part, so that nothing is missing
meanwhile. With --global it holds for all tenants and is stored as the service's operator, like "tps tenants".
`;

/** Adds the command that imports a file of indicators. */
export function addIndicatorImport(indicators: Command, context: CommandContext): void {
  indicators
    .command('import')
    .description('import indicators from a file, the standard input or an https address')
    .argument('<from>', 'the file, "-" for the standard input, or the https address')
    .addOption(choice('--format <format>', 'what it is', FORMATS).default('auto'))
    .option(
      '--source <name>',
      'who says so; the name of the file, or the host of the address, when left out',
      toSourceName,
    )
    .addOption(choice('--category <category>', 'category of all of them', THREAT_CATEGORIES))
    .option('--threat-type <type>', 'finer kind of all of them, such as credential_phishing')
    .option('--confidence <number>', 'how sure the source is, 0 to 1', toShare)
    .option('--valid-days <days>', 'let none hold longer than this', wholeNumber(1, MAX_VALID_DAYS))
    .addOption(choice('--type <type>', 'what the values of a list or table are', INDICATOR_TYPES))
    .option('--column <name>', 'column of a table that holds the values: its heading, or its number')
    .option('--except <file>', 'leave out what this file lists, and what that covers')
    .option('--replace', 'remove whatever else the source has')
    .option('--global', 'for all tenants; stored in the store itself, as the operator')
    .option('--dry-run', 'read it and say what would be imported')
    .addHelpText(
      'after',
      NOTES +
        examples(
          'tps indicators import ioc.yaml --source stalkerware-indicators --replace',
          'tps indicators import https://example.com/phishing.csv --source example --valid-days 30',
          'tps indicators import - --source own-list --type domain < domains.txt',
          'tps indicators import feed.csv --except own-hosts.txt --replace',
          'tps indicators import bundle.json --dry-run',
        ),
    )
    .action(async (from: string, flags: Flags, command: Command) => {
      const session = openSession(context, command);
      const feed = await readFeed(context, from, flags);
      await tellSkipped(context, feed);
      if (flags.dryRun) return printFeed(session, feed, undefined);
      checkCount(feed);
      if (flags.global) return importGlobally(context, command, { feed, flags });
      await printFeed(session, feed, await importForTenant(session, { feed, flags }));
    });
}

async function importForTenant(
  session: Session,
  { feed, flags }: { feed: Feed; flags: Flags },
): Promise<ImportTotals> {
  const { fetch, wait } = createRateShare();
  const { indicators } = await session.client(fetch);
  const tenant = await session.tenant();
  const progress = progressOn(session.context, feed.indicators.length);
  return sendIndicators(feed.indicators, {
    send: (part) => indicators.import({ source: feed.source, ...part, ...tenant }),
    wait,
    replace: flags.replace ?? false,
    onProgress: progress.show,
  }).finally(progress.end);
}

/** Of more than there may be a part would be stored before the service refuses the next. */
function checkCount({ indicators: { length } }: Feed): void {
  if (length === 0) throw usageError('There is no indicator in it: nothing was changed.');
  if (length > MAX_INDICATORS) {
    const most = `there can be at most ${MAX_INDICATORS} of a tenant, and of all tenants`;
    throw usageError(`There are ${length} indicators in it, and ${most}: nothing was changed.`);
  }
}

function toSourceName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('Give 1 to 64 letters, digits or . _ -, the first a letter or digit.');
}

/** Lets the service's own program store them, from a file that is there as long as it runs. */
async function importGlobally(
  context: CommandContext,
  command: Command,
  { feed, flags }: { feed: Feed; flags: Flags },
): Promise<void> {
  const { json, ndjson } = programOptions(context, command);
  const file = join(tmpdir(), `tps-indicators-${randomBytes(8).toString('hex')}.ndjson`);
  const lines = feed.indicators.map((indicator) => `${JSON.stringify(toNewIndicator(indicator))}\n`);
  try {
    await writeFile(file, lines.join(''), { flag: 'wx', mode: 0o600 });
    await handOver(context, [
      ...['indicators', 'import', file, '--source', feed.source],
      ...(flags.replace ? ['--replace'] : []),
      ...(json || ndjson ? ['--json'] : []),
    ]);
  } finally {
    await rm(file, { force: true });
  }
}

/** What was skipped goes beside the answer, the most frequent reason first. */
async function tellSkipped({ stderr }: CommandContext, { skipped, skippedCount }: Feed): Promise<void> {
  if (skippedCount === 0) return;
  const groups = groupSkipped(skipped).map(({ why, count, where }) => {
    const places = where.map(sanitizeLine).join(', ');
    return `  ${count} × ${sanitizeLine(why)} (${places}${count > where.length ? ', …' : ''})\n`;
  });
  const told = skipped.length < skippedCount ? `, of which the first ${skipped.length} were` : '';
  await stderr.write(`${skippedCount} skipped${told}:\n${groups.join('')}`);
}

function printFeed(session: Session, feed: Feed, totals: ImportTotals | undefined): Promise<void> {
  const { source, format, indicators, skipped, skippedCount } = feed;
  const types = countTypes(feed);
  const nowMs = Date.now();
  const expired = indicators.filter(
    ({ validUntilMs }) => validUntilMs !== undefined && validUntilMs <= nowMs,
  ).length;
  const document = {
    ...{ source, format, read: indicators.length, types, expired, dry_run: totals === undefined, ...totals },
    ...{ skipped: skippedCount, skipped_why: groupSkipped(skipped) },
  };
  return printFields(session, document, [
    ['source', source],
    ['format', format],
    ['read', `${indicators.length}${describeTypes(types)}`],
    ...(expired > 0 ? ([['expired', `${expired}: they match nothing any more`]] as const) : []),
    ['skipped', skippedCount],
    ...(totals
      ? ([
          ['added', totals.added],
          ['updated', totals.updated],
          ['unchanged', totals.unchanged],
          ['removed', totals.removed],
          ['indicators', totals.indicators],
        ] as const)
      : ([['changed', 'nothing: --dry-run']] as const)),
  ]);
}

function countTypes({ indicators }: Feed): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of indicators) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

function describeTypes(types: Readonly<Record<string, number>>): string {
  const parts = Object.entries(types).map(([type, count]) => `${count} ${type}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Tells whoever watches how far it has come. */
function progressOn({ stderr }: CommandContext, total: number) {
  const write = (text: string) => void stderr.write(text).catch(() => undefined);
  return {
    show: (sent: number) => {
      if (stderr.isTerminal) write(`${CLEAR_LINE}${sent} of ${total} indicators sent`);
    },
    end: () => {
      if (stderr.isTerminal) write(CLEAR_LINE);
    },
  };
}
