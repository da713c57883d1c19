import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SimulationReport } from '@tps/simulator';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { ExitError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printFields } from '../output/print.ts';
import { openSession, type Session } from '../session.ts';
import { deviceTenant } from './agent-device.ts';
import { examples } from './examples.ts';
import { toDuration, toShareOf, wholeNumber } from './values.ts';

interface Options {
  readonly devices: number;
  readonly rate: number;
  readonly duration: number;
  readonly offline: number;
  readonly clockSkew: number;
  readonly kill: number;
  readonly wait: number;
  readonly seed: number;
  readonly directory?: string;
}

const MAX_DEVICES = 10_000;
const MAX_RATE = 10_000;
const MAX_SEED = 999_999_999;

const NOTES = `
Each device is a real agent with its own keys, directory and encrypted log: it decides by the tenant's policies and
uploads what it records. Devices go offline for seconds, their clocks are wrong, and processes with dozens of devices are
killed (SIGKILL) and started again. At the end the feed is read: each decision that an agent has stored must be in it
exactly once, or be declared as dropped. Otherwise the exit code is 1.

The service's rate limit applies to simulated devices too. With the default of 120 requests a minute, enrolling a
thousand devices takes eight minutes; for trials, start the service with SERVICE_RATE_LIMIT_PER_MINUTE=100000. The
credential needs devices:write, devices:read and events:read; devices enrol and get their own. The devices stay registered with the service,
so use a separate tenant.
`;

/** Adds `tps agent simulate`. */
export function addSimulateCommand(agent: Command, context: CommandContext): void {
  agent
    .command('simulate')
    .description('run a fleet of real agents under faults, and check that no event is lost')
    .option('--devices <number>', 'number of devices', wholeNumber(1, MAX_DEVICES), 100)
    .option('--rate <number>', 'decisions per second, all devices together', wholeNumber(1, MAX_RATE), 100)
    .addOption(timeOption('--duration <time>', 'how long the devices record, such as 60s or 5m', '60s'))
    .option('--offline <share>', 'share of devices that are offline at any time, such as 20%', toShareOf, 0)
    .addOption(
      timeOption('--clock-skew <time>', 'how far the clocks of devices may be off, such as 5m', '0s'),
    )
    .option('--kill <share>', 'share of processes that are killed, such as 5%', toShareOf, 0)
    .addOption(
      timeOption('--wait <time>', 'how long devices may take to deliver everything at the end', '2m'),
    )
    .option('--seed <number>', 'seed of the made-up detections', wholeNumber(0, MAX_SEED), 1)
    .option(
      '--directory <folder>',
      'keep the devices in this directory for the next run (default: a temporary directory)',
    )
    .addHelpText(
      'after',
      NOTES +
        examples(
          'tps agent simulate --devices 20 --rate 50 --duration 10s',
          'tps agent simulate --devices 1000 --rate 200 --duration 60s --offline 20% --clock-skew 5m --kill 5%',
        ),
    )
    .action((options: Options, command: Command) => simulate(openSession(context, command), options));
}

async function simulate(session: Session, options: Options): Promise<void> {
  const { context } = session;
  const directory = options.directory
    ? resolve(context.directory, options.directory)
    : await mkdtemp(join(tmpdir(), 'tps-simulate-'));
  try {
    const report = await simulateIn(session, directory, options);
    await printReport(session, report);
    if (!report.ok) throw new ExitError(EXIT.failure);
  } finally {
    if (!options.directory) await rm(directory, { recursive: true, force: true });
  }
}

async function simulateIn(session: Session, directory: string, options: Options): Promise<SimulationReport> {
  const { context } = session;
  const { url: baseUrl } = await session.connection();
  const { simulateFleet } = await import('@tps/simulator');
  const show = (text: string) => void context.stderr.write(text).catch(() => undefined);
  const showLive = context.stderr.isTerminal ? show : () => undefined;
  let isThrottled = false;
  return simulateFleet({
    devices: options.devices,
    load: {
      ratePerSecond: options.rate,
      durationMs: options.duration,
      offlineShare: options.offline,
      clockSkewMs: options.clockSkew,
      killShare: options.kill,
      seed: options.seed,
      drainMs: options.wait,
    },
    directory,
    baseUrl,
    client: await session.client(),
    tenantId: await deviceTenant(session),
    env: context.env,
    signal: context.stopSignal(),
    onEnrolled: (count) =>
      showLive(`\r${count} of ${options.devices} devices enrolled${count === options.devices ? '\n' : ''}`),
    onThrottled: (waitMs) =>
      show(`\nRate limit reached (429): enrolment continues in ${Math.ceil(waitMs / 1000)} s.\n`),
    onProgress: ({ seconds, recorded, waiting, throttled, offline, isDraining }) => {
      if (throttled > 0 && !isThrottled) {
        isThrottled = true;
        show(
          '\nRate limit reached (429): agents wait and send larger batches. Raise the limit for trials.\n',
        );
      }
      const counts = `recorded ${recorded}  waiting ${waiting}  429s ${throttled}  offline ${offline}`;
      showLive(`\r${seconds} s  ${counts}  ${isDraining ? 'delivering' : 'recording'}   `);
    },
  }).finally(() => showLive('\n'));
}

async function printReport(session: Session, report: SimulationReport): Promise<void> {
  const { record_ms: recordMs, troubles } = report;
  await printFields(session, report, [
    ['result', report.ok ? 'ok: each decision was delivered exactly once or declared as dropped' : 'FAILED'],
    ['devices', `${report.devices}, ${report.processes_killed} processes killed`],
    ['recorded', `${report.recorded}, ${report.recorded_per_second} a second`],
    ['delivered', report.delivered],
    ['dropped', `${report.dropped_and_declared} and declared`],
    [
      'missing',
      `${report.missing}; ${report.waiting} still wait on their devices, ${report.refused} were refused`,
    ],
    ['repeated', report.repeated],
    ['requests', `${report.requests}, ${report.retried} retried, ${report.throttled} throttled (429)`],
    ['offline', `${report.attempts_offline} requests while offline`],
    ['record time', `p50 ${recordMs.p50} ms, p99 ${recordMs.p99} ms`],
    ...troubles.map((trouble) => ['problem', trouble] as const),
  ]);
}

function timeOption(flags: string, description: string, otherwise: string): Option {
  return new Option(flags, description).argParser(toDuration).default(toDuration(otherwise), otherwise);
}
