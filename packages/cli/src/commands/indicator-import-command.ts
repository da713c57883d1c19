import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countOf } from '@tps/contract/vocabulary';
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
import { runOperatorCommand } from './operator-commands.ts';
import { requireConsent } from './require-consent.ts';
import { choice, INDICATOR_TYPES, THREAT_CATEGORIES, toShare, wholeNumber } from './values.ts';

interface Flags extends FeedFlags {
  readonly replace?: true;
  readonly global?: true;
  readonly dryRun?: true;
  readonly yes?: true;
}

const FORMATS = ['auto', 'stix', 'misp', 'csv', 'list', 'stalkerware', 'lolrmm'] as const;
/** Maximum number of indicators of a tenant. */
const MAX_INDICATORS = 200_000;
const MAX_VALID_DAYS = 3650;
/** Short lists change by more than half every day. */
const MIN_STORED = 10;
const CLEAR_LINE = '\r\u001b[K';

const NOTES = `
The file is parsed on this machine. Formats: STIX 2.1 bundles, MISP events, CSV and plain lists of domains, addresses,
hashes or package names, and the YAML of stalkerware-indicators and LOLRMM. Entries that cannot be indicators are skipped
and reported with the reason. So are whole sites that people use every day, and public name servers, unless
--allow-well-known is given. --replace removes the other indicators of the source together with the last part of the
import, so that none is missing in between; it asks before a source shrinks by more than half. --global imports for all tenants into the store, as the service's operator.
`;

/** Adds `tps indicators import`. */
export function addIndicatorImport(indicators: Command, context: CommandContext): void {
  indicators
    .command('import')
    .description('import indicators from a file, the standard input or an https address')
    .argument('<from>', 'file, "-" for the standard input, or https address')
    .addOption(choice('--format <format>', 'format of the file', FORMATS).default('auto'))
    .option(
      '--source <name>',
      'name of the source (default: the name of the file, or the host of the address)',
      toSourceName,
    )
    .addOption(choice('--category <category>', 'category of all indicators', THREAT_CATEGORIES))
    .option('--threat-type <type>', 'threat type of all indicators, such as credential_phishing')
    .option('--confidence <number>', 'confidence of all indicators, 0 to 1', toShare)
    .option('--valid-days <days>', 'maximum validity of an indicator in days', wholeNumber(1, MAX_VALID_DAYS))
    .addOption(choice('--type <type>', 'type of the values of a list or table', INDICATOR_TYPES))
    .option('--column <name>', 'heading or number of the column with the values')
    .option('--except <file>', 'skip the indicators in this file, and those that they include')
    .option('--allow-well-known', 'accept whole sites that people use every day, such as those of banks')
    .option('--replace', 'remove the other indicators of the source')
    .option('--yes', 'do not ask for confirmation if the source shrinks by more than half')
    .option('--global', 'import for all tenants into the store, as the operator')
    .option('--dry-run', 'parse the file and report what would be imported')
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
      await reportSkipped(context, feed);
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
  if (flags.replace && !flags.yes) {
    const { data } = await indicators.sources(tenant);
    const stored = data.find(({ scope, source }) => scope === 'tenant' && source === feed.source);
    await confirmShrinking(session.context, {
      stored: stored?.indicators ?? 0,
      read: feed.indicators.length,
    });
  }
  const progress = createProgress(session.context, feed.indicators.length);
  return sendIndicators(feed.indicators, {
    send: (part) => indicators.import({ source: feed.source, ...part, ...tenant }),
    wait,
    replace: flags.replace ?? false,
    onProgress: progress.show,
  }).finally(progress.end);
}

/** A list that lost most of its content is more often damaged than clean. */
async function confirmShrinking(
  context: CommandContext,
  { stored, read }: { stored: number; read: number },
): Promise<void> {
  if (stored < MIN_STORED || read * 2 >= stored) return;
  await requireConsent(context, `The source has ${stored} indicators and would keep ${read}`);
}

/** Rejects an import that is too large before a part of it is stored. */
function checkCount({ indicators: { length } }: Feed): void {
  if (length === 0) throw usageError('The file contains no indicator. Nothing was changed.');
  if (length > MAX_INDICATORS) {
    throw usageError(
      `The file contains ${countOf(length, 'indicator')}; the limit is ${MAX_INDICATORS} per tenant. Nothing was changed.`,
    );
  }
}

function toSourceName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('Use 1 to 64 letters, digits or . _ -, beginning with a letter or digit.');
}

/** Runs the service's import command on a temporary file. */
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
    await runOperatorCommand(context, [
      'indicators',
      'import',
      file,
      '--source',
      feed.source,
      ...(flags.replace ? ['--replace'] : []),
      ...(json || ndjson ? ['--json'] : []),
    ]);
  } finally {
    await rm(file, { force: true });
  }
}

/** Reports skipped entries on the standard error, the most frequent reason first. */
async function reportSkipped({ stderr }: CommandContext, { skipped, skippedCount }: Feed): Promise<void> {
  if (skippedCount === 0) return;
  const groups = groupSkipped(skipped).map(({ why, count, where }) => {
    const places = where.map(sanitizeLine).join(', ');
    return `  ${count} × ${sanitizeLine(why)} (${places}${count > where.length ? ', …' : ''})\n`;
  });
  const shown = skipped.length < skippedCount ? `; the first ${skipped.length}` : '';
  await stderr.write(`${countOf(skippedCount, 'entry', 'entries')} skipped${shown}:\n${groups.join('')}`);
}

function printFeed(session: Session, feed: Feed, totals: ImportTotals | undefined): Promise<void> {
  const { source, format, indicators, skipped, skippedCount } = feed;
  const types = countTypes(feed);
  const nowMs = Date.now();
  const expired = indicators.filter(
    ({ validUntilMs }) => validUntilMs !== undefined && validUntilMs <= nowMs,
  ).length;
  const document = {
    source,
    format,
    read: indicators.length,
    types,
    expired,
    dry_run: totals === undefined,
    ...totals,
    skipped: skippedCount,
    skipped_why: groupSkipped(skipped),
  };
  return printFields(session, document, [
    ['source', source],
    ['format', format],
    ['read', `${indicators.length}${describeTypes(types)}`],
    ...(expired > 0 ? ([['expired', `${expired}, which match nothing`]] as const) : []),
    ['skipped', skippedCount],
    ...(totals
      ? ([
          ['added', totals.added],
          ['updated', totals.updated],
          ['unchanged', totals.unchanged],
          ['removed', totals.removed],
          ['indicators', totals.indicators],
        ] as const)
      : ([['imported', 'nothing (--dry-run)']] as const)),
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

/** Shows the progress on a terminal. */
function createProgress({ stderr }: CommandContext, total: number) {
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
