import { PassThrough, Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { toOutput } from '../output/output.ts';

interface Surroundings {
  readonly env?: Context['env'];
  readonly directory?: string;
  /** What stands on the standard input. */
  readonly input?: string;
  /** What asks to stop. Nothing does unless it is given. */
  readonly signal?: AbortSignal;
  /** Width of the terminal that both outputs are then. */
  readonly terminal?: number;
}

/** Makes surroundings that keep what was written to them. */
export function createTestContext({
  env = {},
  directory = '/',
  input = '',
  signal,
  terminal,
}: Surroundings = {}) {
  const out = collector(terminal);
  const error = collector(terminal);
  const context: Context = {
    env,
    directory,
    stdin: Readable.from([Buffer.from(input)]),
    stdout: out.output,
    stderr: error.output,
    stopSignal: () => signal ?? new AbortController().signal,
  };
  return { context, printed: out.text, said: error.text };
}

function collector(terminal: number | undefined) {
  const chunks: string[] = [];
  const stream = new PassThrough();
  stream.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  const isTerminal = terminal === undefined ? {} : { isTTY: true, columns: terminal };
  return { output: toOutput(Object.assign(stream, isTerminal)), text: () => chunks.join('') };
}
