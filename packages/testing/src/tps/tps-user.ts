import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { run as runCommand } from '@tps/cli/run';
import { onTestFinished } from 'vitest';
import { newFolder } from '../fixture/new-folder.ts';
import { FROM_SOURCE } from '../process/spawn-service.ts';
import { createTestContext } from './test-context.ts';

/** The program. */
export const TPS = fileURLToPath(new URL('../../../cli/bin/tps.js', import.meta.url));

interface TpsRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One person's `tps`, with its own home and working directory. */
export interface TpsUser {
  readonly directory: string;
  /** Runs a command to its end in this process, which takes a tenth of the time. */
  run(args: readonly string[], options?: RunOptions): Promise<TpsRun>;
  /** Starts a command in this process that runs until it is stopped. */
  begin(
    args: readonly string[],
    options?: RunOptions,
  ): { readonly ended: Promise<TpsRun>; readonly stdout: () => string; readonly stderr: () => string };
  /** Runs a command that must succeed, and returns its output. */
  runWell(...args: string[]): Promise<string>;
  /** Runs a command that must succeed with `--json`, and returns the document. */
  json<Document>(...args: string[]): Promise<Document>;
  /** Runs a command to its end in its own process. */
  spawn(args: readonly string[], options?: RunOptions): Promise<TpsRun>;
  /** Starts the program in its own process. */
  start(args: readonly string[], options?: RunOptions): ChildProcessWithoutNullStreams;
}

interface RunOptions {
  readonly input?: string;
  /** Makes the standard input a terminal on which nothing is typed. */
  readonly isInteractive?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Stops a command that keeps running. */
  readonly signal?: AbortSignal;
}

/** Creates a person. Their processes and files are removed when the test ends. */
export function createTpsUser(): TpsUser {
  const directory = newFolder();
  const start = (args: readonly string[], { input = '', env = {} }: RunOptions = {}) => {
    const child = spawn(process.execPath, [...FROM_SOURCE, TPS, ...args], {
      cwd: directory,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        HOME: directory,
        SERVICE_METRICS_BIND: 'off',
        ...env,
      },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    // A command that does not read may end before the input was written.
    child.stdin.on('error', () => undefined).end(input);
    return child;
  };
  const begin = (args: readonly string[], options: RunOptions = {}) => {
    const { input = '', env = {}, isInteractive = false, signal } = options;
    const shared = { directory, input, isInteractive, ...(signal === undefined ? {} : { signal }) };
    const { context, stdout, stderr } = createTestContext({ ...shared, env: { HOME: directory, ...env } });
    const code = runCommand(args, context);
    return { stdout, stderr, ended: code.then((code) => ({ code, stdout: stdout(), stderr: stderr() })) };
  };
  const run = (args: readonly string[], options?: RunOptions) => begin(args, options).ended;
  const spawnToEnd = async (args: readonly string[], options?: RunOptions): Promise<TpsRun> => {
    const child = start(args, options);
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { code, stdout: stdout(), stderr: stderr() };
  };
  const runWell = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(args);
    if (code !== 0) throw new Error(`tps ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  };
  const json = async <Document>(...args: string[]) =>
    JSON.parse(await runWell(...args, '--json')) as Document;
  return { directory, begin, run, runWell, json, spawn: spawnToEnd, start };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
