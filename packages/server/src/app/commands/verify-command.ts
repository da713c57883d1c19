import { readFileSync } from 'node:fs';
import { countOf } from '@tps/contract/vocabulary';
import type { Command } from 'commander';
import {
  COVERAGE,
  describeGaps,
  formatCheckpoint,
  KINDS,
  parseCheckpoints,
  ROW_COVERAGE,
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
  { quick, checkpoint, expect, json }: VerifyArguments,
  { env, stdout, stderr, failWith }: CommandContext,
): Promise<void> {
  let reportedAt = performance.now();
  const options = {
    isQuick: quick === true,
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
  stdout(json ? toJson(verification) : [...toText(verification, options), ...lines].join('\n'));
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
    not_compared: describeGaps(COVERAGE, ROW_COVERAGE),
    checkpoints: checkpoints.map(formatCheckpoint),
  });
}

function toText(
  { problems, tenants, events, checks }: Verification,
  { isQuick }: { isQuick: boolean },
): string[] {
  if (problems.length > 0) return ['damaged:', ...problems.map((problem) => `  - ${problem}`)];
  const counts = KINDS.flatMap((kind) => {
    const check = checks[kind];
    if (!check) return [];
    const skipped = Object.entries(check.skipped).map(([reason, count]) => `, ${count} not: ${reason}`);
    return [`  ${kind}: ${check.checked} compared${skipped.join('')}`];
  });
  return [
    `sound: ${countOf(tenants, 'tenant')}, ${countOf(events, 'event')}`,
    ...counts,
    ...(isQuick
      ? ['  not compared, because of --quick: threats, alerts, incidents, deliveries, scans, jobs']
      : []),
    'not compared with anything:',
    ...describeGaps(COVERAGE, ROW_COVERAGE).map((gap) => `  ${gap}`),
  ];
}
