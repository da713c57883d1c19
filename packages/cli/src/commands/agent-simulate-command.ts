import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { ExitError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printFields } from '../output/print.ts';
import { openSession, type Session } from '../session.ts';
import { checkFeed } from '../simulate/check-feed.ts';
import type { FleetDevice } from '../simulate/enrol-fleet.ts';
import { createRandom } from '../simulate/random.ts';
import { type SimulationReport, toReport } from '../simulate/report.ts';
import { runSimulation } from '../simulate/run-simulation.ts';
import { createTally, type Tally } from '../simulate/tally.ts';
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
const PROGRESS_EVERY_MS = 1_000;

const NOTES = `
A fleet of real agents: each device has its own keys, directory and encrypted log, decides by the tenant's policies,
and uploads what it recorded. Devices lose their network for seconds, their clocks are wrong, and processes with dozens
of them are killed (SIGKILL) and started again. At the end the feed is read, and each decision that an agent promised to
keep must be there exactly once, or be declared as dropped; else the exit code is 1.

The service's rate limit holds for simulated devices too: with the default of 120 requests a minute, enrolling a
thousand devices takes eight minutes. For trials start it with SERVICE_RATE_LIMIT_PER_MINUTE=100000. The credential
needs devices:write, devices:read, events:write and events:read. The devices stay known to the service: use a tenant for trials.
`;

/** Adds the command that drives a simulated fleet, to the command `agent`. */
export function addSimulateCommand(agent: Command, context: CommandContext): void {
  agent
    .command('simulate')
    .description('drive a fleet of real agents with faults, and check that nothing is lost')
    .option('--devices <number>', 'how many', wholeNumber(1, MAX_DEVICES), 100)
    .option('--rate <number>', 'decisions per second, of all devices together', wholeNumber(1, MAX_RATE), 100)
    .addOption(timeOption('--duration <time>', 'how long they record, such as 60s or 5m', '60s'))
    .option('--offline <share>', 'how many have no network at any moment, such as 20%', toShareOf, 0)
    .addOption(timeOption('--clock-skew <time>', 'their clocks are off by up to this, such as 5m', '0s'))
    .option('--kill <share>', 'share of their processes that are killed, such as 5%', toShareOf, 0)
    .addOption(timeOption('--wait <time>', 'how long everything may take to arrive at the end', '2m'))
    .option('--seed <number>', 'makes up the same detections again', wholeNumber(0, MAX_SEED), 1)
    .option(
      '--directory <folder>',
      'keep the devices here, to be used again; a temporary folder unless given',
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
  const { url: baseUrl, credential } = await session.connection();
  const client = await session.client();
  const signal = context.stopSignal();
  const tally = createTally();
  const fleet = await enrol(session, { directory, baseUrl, credential, options, signal });
  // By the service's clock: it tells when each event arrived.
  const since = await findStart(session, fleet);
  const stopShowing = showProgress(session, tally, options.duration);
  const { kills, seconds } = await runSimulation({
    ...{ fleet, credential, signal, tally, env: context.env, seed: options.seed },
    ratePerSecond: options.rate,
    durationMs: options.duration,
    offlineShare: options.offline,
    clockSkewMs: options.clockSkew,
    killShare: options.kill,
    drainMs: options.wait,
  }).finally(stopShowing);
  const check = await checkFeed(client, { since, promised: tally.promised });
  return toReport(tally, { check, devices: fleet.length, kills, seconds });
}

async function enrol(
  { context }: Session,
  wanted: { directory: string; baseUrl: string; credential: string; options: Options; signal: AbortSignal },
): Promise<FleetDevice[]> {
  const { devices, seed } = wanted.options;
  const say = (text: string) => void context.stderr.write(text).catch(() => undefined);
  const show = context.stderr.isTerminal ? say : () => undefined;
  const { enrolFleet } = await import('../simulate/enrol-fleet.ts');
  const fleet = await enrolFleet({
    ...wanted,
    devices,
    random: createRandom(seed),
    onEnrolled: (count) => show(`\r${count} of ${devices} devices enrolled`),
    onThrottled: (waitMs) =>
      say(`\nThe rate limit is reached (429): enrolling goes on in ${Math.ceil(waitMs / 1000)} s.\n`),
  });
  show('\n');
  return fleet;
}

/** The last of the devices was heard of before any of them recorded. */
async function findStart(session: Session, fleet: readonly FleetDevice[]): Promise<string> {
  const client = await session.client();
  const first = fleet[0];
  if (!first) throw new Error('there are no devices');
  const device = await client.devices.get(first.deviceId, await session.tenant());
  return device.registered_at;
}

function showProgress({ context }: Session, tally: Tally, durationMs: number): () => void {
  const startedAt = performance.now();
  let isThrottled = false;
  const timer = setInterval(() => {
    const { waiting, throttled, offline } = tally.traffic();
    const seconds = Math.floor((performance.now() - startedAt) / 1000);
    const isDraining = seconds * 1000 > durationMs;
    if (throttled > 0 && !isThrottled) {
      isThrottled = true;
      void context.stderr
        .write(
          '\nThe rate limit is reached (429): agents wait, and send more at once. Raise it for trials.\n',
        )
        .catch(() => undefined);
    }
    if (!context.stderr.isTerminal) return;
    const line = `${seconds} s  recorded ${tally.promised.size}  waiting ${waiting}  429s ${throttled}  offline ${offline}`;
    void context.stderr
      .write(`\r${line}  ${isDraining ? 'delivering' : 'recording'}   `)
      .catch(() => undefined);
  }, PROGRESS_EVERY_MS);
  return () => {
    clearInterval(timer);
    if (context.stderr.isTerminal) void context.stderr.write('\n').catch(() => undefined);
  };
}

async function printReport(session: Session, report: SimulationReport): Promise<void> {
  const { record_ms: recordMs, troubles } = report;
  await printFields(session, report, [
    ['result', report.ok ? 'ok: each decision arrived exactly once, or is declared' : 'FAILED'],
    ['devices', `${report.devices}, ${report.processes_killed} processes killed`],
    ['recorded', `${report.recorded}, ${report.recorded_per_second} a second`],
    ['delivered', report.delivered],
    ['dropped', `${report.dropped_and_declared} and declared`],
    [
      'missing',
      `${report.missing}, of which ${report.waiting} wait on their devices; ${report.refused} refused`,
    ],
    ['repeated', report.repeated],
    ['requests', `${report.requests}, ${report.retried} retried, ${report.throttled} throttled (429)`],
    ['offline', `${report.attempts_offline} attempts without a network`],
    ['record time', `p50 ${recordMs.p50} ms, p99 ${recordMs.p99} ms`],
    ...troubles.map((trouble) => ['trouble', trouble] as const),
  ]);
}

function timeOption(flags: string, description: string, otherwise: string): Option {
  return new Option(flags, description).argParser(toDuration).default(toDuration(otherwise), otherwise);
}
