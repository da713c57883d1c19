import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));
const LISTENING = /listening on (http:\/\/127\.0\.0\.1:\d+\/webhooks)/;
const LISTENS_WITHIN_MS = 60_000;

export interface RunningReceiver {
  /** The address that the receiver prints. */
  readonly url: string;
  /** Everything it has written. */
  output(): string;
  /** Sends SIGTERM, as a supervisor would, and resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts a receiver in a separate process and waits until it listens. The process ends with the test. */
export async function startReceiver(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<RunningReceiver> {
  const { child, output } = spawnReceiver(command, env);
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${command.join(' ')} ${why}:\n${output()}`));
    const timer = setTimeout(fail, LISTENS_WITHIN_MS, 'does not listen');
    child.once('exit', () => fail('ended'));
    child.once('error', (error) => fail(error.message));
    child.stdout?.on('data', () => {
      const [, found] = LISTENING.exec(output()) ?? [];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    });
  });
  return {
    url,
    output,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = (await ended) as [number | null];
      return code;
    },
  };
}

/** Runs a receiver that is expected to exit. */
export async function runReceiver(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = spawnReceiver(command, env);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

function spawnReceiver(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
) {
  const child: ChildProcess = spawn(program, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
  }
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, output: () => text };
}
