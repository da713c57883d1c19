import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run as runCommand } from '@tps/cli/run';
import { createTestContext } from '@tps/cli/testing/test-context';
import { onTestFinished } from 'vitest';
import { FROM_SOURCE } from './spawn-service.ts';

/** The built program. */
export const TPS = fileURLToPath(new URL('../../packages/cli/bin/tps.js', import.meta.url));

interface TpsRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The `tps` of one person, with a home and a working directory of their own. */
export interface TpsUser {
  readonly directory: string;
  /** Runs a command to its end, in this process: that takes a tenth of the time. */
  run(args: readonly string[], options?: RunOptions): Promise<TpsRun>;
  /** Runs a command that goes on until it is stopped, in this process. */
  begin(
    args: readonly string[],
    options?: RunOptions,
  ): { readonly ended: Promise<TpsRun>; readonly stdout: () => string };
  /** Runs a command that must succeed, and gives what it printed. */
  runWell(...args: string[]): Promise<string>;
  /** Runs a command that must succeed with `--json`, and gives the document. */
  json<Document>(...args: string[]): Promise<Document>;
  /** Runs a command to its end in a process of its own. */
  spawn(args: readonly string[], options?: RunOptions): Promise<TpsRun>;
  /** Starts the built program. */
  start(args: readonly string[], options?: RunOptions): ChildProcessWithoutNullStreams;
}

interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Asks a command that would go on to stop. */
  readonly signal?: AbortSignal;
}

/** Makes a person. What they started and wrote is gone when the test ends. */
export function createTpsUser(): TpsUser {
  const directory = mkdtempSync(join(tmpdir(), 'tps-user-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const start = (args: readonly string[], { input = '', env = {} }: RunOptions = {}) => {
    const child = spawn(process.execPath, [...FROM_SOURCE, TPS, ...args], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, SERVICE_METRICS_BIND: 'off', ...env },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    // A command that reads nothing may be gone before it was written.
    child.stdin.on('error', () => undefined).end(input);
    return child;
  };
  const begin = (args: readonly string[], { input = '', env = {}, signal }: RunOptions = {}) => {
    const shared = { directory, input, ...(signal === undefined ? {} : { signal }) };
    const { context, stdout, stderr } = createTestContext({ ...shared, env: { HOME: directory, ...env } });
    const code = runCommand(args, context);
    return { stdout, ended: code.then((code) => ({ code, stdout: stdout(), stderr: stderr() })) };
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
