import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Agent, Detection, RecordResult } from '@tps/agent';
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
Reads detections, a JSON object a line, from the file or the standard input, lets the tenant's policies decide, records
each decision and prints it, and uploads meanwhile. At the end of the input it delivers what is left and ends; what
cannot be delivered stays in the folder for the next run. A line that is no detection is said on the standard error and
makes the exit code 1; the others are recorded all the same.

The members of a detection: threatCategory, confidence; severity, description, indicators, metadata, modelVersion.
`;

/** Adds the command that runs the agent of a device, to the command `agent`. */
export function addRunCommand(agent: Command, context: CommandContext): void {
  agent
    .command('run')
    .description('decide on detections, record the decisions and bring them to the service')
    .argument('[file]', 'detections, one JSON object a line; the standard input unless given')
    .requiredOption(...DIRECTORY)
    .option('--keep-running', 'at the end of the input wait on and upload, until stopped')
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
      const credential = await deviceCredential(session, command);
      const { openNodeAgent } = await import('@tps/agent');
      const opened = await openNodeAgent({
        directory: resolve(context.directory, options.directory),
        credential,
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

/** Records each line and gives how many were none. Who asks to stop is heard between two lines. */
async function recordAll(session: Session, agent: Agent, input: Readable): Promise<number> {
  const stop = session.context.stopSignal();
  const end = () => void input.destroy();
  stop.addEventListener('abort', end, { once: true });
  const record = createRecording(session, agent);
  try {
    for await (const line of linesOf(input)) {
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

/** Records some lines at once, since each waits for the disk, and prints the decisions in the order of the lines. */
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
      await session.context.stderr.write(`Line ${line} is no detection: ${sanitizeLine(error.message)}\n`);
    }
  };
  return {
    async take(line: string): Promise<void> {
      const own = ++number;
      if (line === '') return;
      const recorded = (async () => agent.record(parseDetection(line)))();
      printed = printed.then(() => print(own, recorded));
      // Both are waited for further down; until then a failure is not unheard.
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

/** Gives lines as they come, and of a line that is too long its beginning, which is then no JSON. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of input.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_BYTES);
    for (const line of lines) yield line.slice(0, MAX_LINE_BYTES).trim();
  }
  if (rest.trim() !== '') yield rest.trim();
}

/** What is wrong with a detection the agent says itself. @throws TypeError */
function parseDetection(line: string): Detection {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new TypeError('It is not JSON.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Detection;
  throw new TypeError('It is no JSON object.');
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
    `${waiting} events wait in the folder for the next run${reason ? `: ${sanitizeLine(reason)}` : ''}.\n`,
  );
}

function badLines(count: number): CommandError {
  return new CommandError(`${count} lines were no detections.`, {
    code: 'invalid_detection',
    exitCode: EXIT.failure,
  });
}
