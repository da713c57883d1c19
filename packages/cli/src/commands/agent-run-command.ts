import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Agent, Detection, RecordResult } from '@tps/agent';
import { readJson } from '@tps/contract/json';
import { countOf } from '@tps/contract/vocabulary';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { paintState } from '../output/palette.ts';
import { printDocument, printLine } from '../output/print.ts';
import { sanitizeLine } from '../output/sanitize.ts';
import { openSession, type Session } from '../session.ts';
import { DIRECTORY, deviceCredential } from './agent-device.ts';
import { examples } from './examples.ts';

interface Options {
  readonly directory: string;
  readonly keepRunning?: true;
}

/** A detection has at most 4 KiB of context, 4,096 characters of description and 64 indicators of 512. */
const MAX_LINE_BYTES = 256 * 1024;

const RECORDED_AT_ONCE = 32;

const NOTES = `
Reads detections, one JSON object per line, from the file or the standard input. For each one the policies of the tenant
decide on an action; the decision is recorded, printed and uploaded. At the end of the input the remaining events are
delivered; events that cannot be delivered stay in the directory for the next run. An invalid line is reported on the
standard error and makes the exit code 1; the other lines are recorded.

Members of a detection: threatCategory, confidence (required); severity, description, indicators, metadata, modelVersion.
`;

/** Adds `tps agent run`. */
export function addRunCommand(agent: Command, context: CommandContext): void {
  agent
    .command('run')
    .description('decide on detections, record the decisions and send them to the service')
    .argument('[file]', 'file with detections, one JSON object per line (default: the standard input)')
    .requiredOption(...DIRECTORY)
    .option('--keep-running', 'keep uploading after the end of the input, until stopped')
    .addHelpText(
      'after',
      NOTES +
        examples(
          'echo \'{"threatCategory":"phishing","confidence":0.97}\' | tps agent run --directory ./device',
          'tps agent run detections.ndjson --directory ./device --ndjson',
        ),
    )
    .action(async (file: string | undefined, options: Options, command: Command) => {
      const session = openSession(context, command);
      const directory = resolve(context.directory, options.directory);
      const access = await deviceCredential(session, command, directory);
      const { openNodeAgent } = await import('@tps/agent');
      const opened = await openNodeAgent({
        directory,
        ...access,
        onNotice: ({ message }) =>
          void context.stderr.write(`${sanitizeLine(message)}\n`).catch(() => undefined),
      });
      try {
        const input = file ? createReadStream(resolve(context.directory, file)) : context.stdin;
        const bad = await recordAll(session, opened, input);
        if (options.keepRunning) await waitForStop(context);
        await deliver(session, opened);
        if (bad > 0) throw badLines(bad);
      } finally {
        await opened.close();
      }
    });
}

/** Records each line and returns the number of invalid lines. Stops between two lines when asked to. */
async function recordAll(session: Session, agent: Agent, input: Readable): Promise<number> {
  const stop = session.context.stopSignal();
  const end = () => void input.destroy();
  stop.addEventListener('abort', end, { once: true });
  const record = createRecording(session, agent);
  try {
    for await (const line of readLines(input)) {
      if (stop.aborted) break;
      await record.take(line);
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    stop.removeEventListener('abort', end);
  }
  return record.end();
}

/** Records several lines concurrently, because each waits for the disk, and prints the decisions in order. */
function createRecording(session: Session, agent: Agent) {
  const underWay: Promise<void>[] = [];
  let printed = Promise.resolve();
  let bad = 0;
  let number = 0;
  const print = async (line: number, recorded: Promise<RecordResult>) => {
    try {
      await printDecision(session, await recorded);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      bad += 1;
      await session.context.stderr.write(
        `Line ${line} is not a valid detection: ${sanitizeLine(error.message)}\n`,
      );
    }
  };
  return {
    async take(line: string): Promise<void> {
      const own = ++number;
      if (line === '') return;
      const recorded = (async () => agent.record(parseDetection(line)))();
      printed = printed.then(() => print(own, recorded));
      // Both are awaited below. Until then a rejection must not count as unhandled.
      recorded.catch(() => undefined);
      printed.catch(() => undefined);
      underWay.push(printed);
      if (underWay.length >= RECORDED_AT_ONCE) await underWay.shift();
    },
    async end(): Promise<number> {
      await printed;
      return bad;
    },
  };
}

/** Yields the lines of the input. A line that is too long is truncated and thus not valid JSON. */
async function* readLines(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_BYTES);
    for (const line of lines) yield line.slice(0, MAX_LINE_BYTES).trim();
  }
  if (rest.trim() !== '') yield rest.trim();
}

/** Parses a line. The agent validates the members. @throws TypeError */
function parseDetection(line: string): Detection {
  let value: unknown;
  try {
    value = readJson(line);
  } catch {
    throw new TypeError('it is not valid JSON.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Detection;
  throw new TypeError('it is not a JSON object.');
}

async function printDecision(session: Session, { eventId, decision, kept }: RecordResult): Promise<void> {
  if (session.format !== 'table') {
    return printDocument(session, { event_id: eventId, kept, ...decision });
  }
  const { action, severity, confidence, policy } = decision;
  const held = kept === 'memory' ? '  (in memory only)' : '';
  await printLine(
    session,
    `${paintState(session.palette, action)}  ${severity}  ${confidence}  ${sanitizeLine(policy.policy_id)}  ${eventId}${held}`,
  );
}

async function waitForStop(context: CommandContext): Promise<void> {
  const stop = context.stopSignal();
  if (!stop.aborted) await once(stop, 'abort');
}

async function deliver({ context }: Session, agent: Agent): Promise<void> {
  if (await agent.flush()) return;
  const { waiting } = agent.health().store;
  const { reason } = agent.health().upload;
  await context.stderr.write(
    `Not delivered: ${countOf(waiting, 'event')}, for the next run${reason ? `: ${sanitizeLine(reason)}` : ''}.\n`,
  );
}

function badLines(count: number): CommandError {
  return new CommandError(`${count} lines are not valid detections.`, {
    code: 'invalid_detection',
    exitCode: EXIT.failure,
  });
}
