import { readFileSync } from 'node:fs';
import { countOf } from '@tps/contract/vocabulary';
import type { Command } from 'commander';
import {
  describeGaps,
  formatCheckpoint,
  KINDS,
  parseCheckpoints,
  type Verification,
  verifyFile,
  verifyStore,
} from '../../features/maintenance/index.ts';
import { loadConfig } from '../../platform/config/config.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';

/** How often the progress of a long verification is reported. */
const REPORT_EVERY_MS = 5000;

interface VerifyArguments {
  readonly quick?: true;
  readonly checkpoint?: true;
  readonly expect?: string;
  readonly verbose?: true;
  readonly json?: true;
}

export function addVerifyCommand(program: Command, context: CommandContext): void {
  program
    .command('verify [file]')
    .description(
      'check a backup or, without a file, the store: its pages, the hash chains of events and audit entries, and what repeats or follows from them',
    )
    .option(
      '--quick',
      'leave out threats, alerts, incidents, deliveries, scans and jobs, which take most of the time',
    )
    .option('--checkpoint', 'also print the ends of all chains, to be kept outside the store')
    .option('--expect <file>', 'require the chains to contain the checkpoints in this file')
    .option('--verbose', 'also list the columns and rows that are not compared, with the reason of each')
    .addOption(jsonOption('sound, problems, tenants, events, checks, not_compared, checkpoints'))
    .addHelpText(
      'after',
      `
Exits with 0 if the store is sound, and with 1 if a problem was found or the store could not be read.

Examples:
  tps verify
  tps verify /backups/tps.db --json
  tps verify --checkpoint > /elsewhere/checkpoint.txt
  tps verify --expect /elsewhere/checkpoint.txt`,
    )
    .action((file: string | undefined, wanted: VerifyArguments) => verify(file, wanted, context));
}

async function verify(
  file: string | undefined,
  { quick, checkpoint, expect, verbose, json }: VerifyArguments,
  { env, stdout, stderr, failWith }: CommandContext,
): Promise<void> {
  let reportedAt = performance.now();
  const options = {
    isQuick: quick === true,
    isVerbose: verbose === true,
    expected: expect === undefined ? [] : parseCheckpoints(readFileSync(expect, 'utf8')),
    onProgress: (tenants: number, events: number) => {
      if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
      reportedAt = performance.now();
      stderr(`${countOf(tenants, 'tenant')}, ${countOf(events, 'event')} so far`);
    },
  };
  const verification = await (file === undefined
    ? verifyStore(loadConfig(env).database.url.reveal(), options)
    : verifyFile(file, options));
  const lines = checkpoint ? verification.checkpoints.map(formatCheckpoint) : [];
  const text = [...lines, ...toText(verification, options), toVerdict(verification)];
  stdout(json ? toJson(verification) : text.join('\n'));
  if (verification.problems.length > 0) failWith(1);
}

function toJson({ problems, tenants, events, checks, checkpoints }: Verification): string {
  return toJsonText({
    sound: problems.length === 0,
    problems,
    tenants,
    events,
    checks: Object.fromEntries(
      KINDS.flatMap((kind) => {
        const check = checks[kind];
        return check ? [[kind, { compared: check.checked, not_compared: check.skipped }]] : [];
      }),
    ),
    not_compared: describeGaps(),
    checkpoints: checkpoints.map(formatCheckpoint),
  });
}

/** The problems, or what was compared. */
function toText(
  { problems, checks }: Verification,
  { isQuick, isVerbose }: { isQuick: boolean; isVerbose: boolean },
): string[] {
  if (problems.length > 0) return problems.map((problem) => `  - ${problem}`);
  const counts = KINDS.flatMap((kind) => {
    const check = checks[kind];
    if (!check) return [];
    const skipped = Object.entries(check.skipped).map(([reason, count]) => `, ${count} not: ${reason}`);
    return [`  ${kind}: ${check.checked} compared${skipped.join('')}`];
  });
  const gaps = describeGaps();
  return [
    ...counts,
    ...(isQuick
      ? ['  not compared, because of --quick: threats, alerts, incidents, deliveries, scans, jobs']
      : []),
    ...(isVerbose
      ? ['not compared with anything:', ...gaps.map((gap) => `  ${gap}`)]
      : [`  ${countOf(gaps.length, 'group')} of columns or rows are not compared; --verbose lists them`]),
  ];
}

/** The last line, which a reader of a long output sees first. */
function toVerdict({ problems, tenants, events }: Verification): string {
  if (problems.length > 0) return `damaged: ${countOf(problems.length, 'problem')}`;
  return `sound: ${countOf(tenants, 'tenant')}, ${countOf(events, 'event')}`;
}
