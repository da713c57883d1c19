import { PassThrough, Readable } from 'node:stream';
import { type CommandContext, toOutput } from '@tps/cli/run';

interface TestContextOptions {
  readonly env?: CommandContext['env'];
  readonly directory?: string;
  /** Content of the standard input. */
  readonly input?: string;
  /** Makes the standard input a terminal on which nothing is typed. */
  readonly isInteractive?: boolean;
  /** Aborted to stop the command. Default: never. */
  readonly signal?: AbortSignal;
  /** Makes both outputs a terminal of this width. */
  readonly terminal?: number;
}

/** Creates a context that records its output. */
export function createTestContext({
  env = {},
  directory = '/',
  input = '',
  isInteractive = false,
  signal,
  terminal,
}: TestContextOptions = {}) {
  const out = collector(terminal);
  const error = collector(terminal);
  const context: CommandContext = {
    env,
    directory,
    stdin: Object.assign(Readable.from([Buffer.from(input)]), { isTTY: isInteractive }),
    stdout: out.output,
    stderr: error.output,
    stopSignal: () => signal ?? new AbortController().signal,
  };
  return { context, stdout: out.text, stderr: error.text };
}

function collector(terminal: number | undefined) {
  const chunks: string[] = [];
  const stream = new PassThrough();
  stream.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  const isTerminal = terminal === undefined ? {} : { isTTY: true, columns: terminal };
  return { output: toOutput(Object.assign(stream, isTerminal)), text: () => chunks.join('') };
}
