import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeEach } from 'vitest';
import { waitUntil } from '../time/wait-until.ts';

const FOLDERS = ['/usr/sbin', '/usr/bin'];

/** A server of another project, which Debian packages. */
export interface DebianServer {
  /** What it has written to its standard output and standard error. */
  output(): string;
  stop(): Promise<void>;
}

function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
}

/**
 * Skips the tests of a file, or of the `describe` it stands in, where Debian's program is not installed. They fail instead
 * if `REQUIRE_PROXIES` is 1.
 */
export function requireProgram(name: string): void {
  beforeEach(({ skip }) => {
    if (findProgram(name) !== undefined) return;
    const reason = `${name} is not installed: apt-get install ${name}`;
    if (process.env.REQUIRE_PROXIES === '1') throw new Error(reason);
    skip(reason);
  });
}

/** Starts a program and waits until it listens on a port of the loopback address. It ends with this process. */
export async function startDebianServer(options: {
  readonly name: string;
  readonly args: readonly string[];
  readonly port: number;
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<DebianServer> {
  const { name, args, port, account, cwd, env } = options;
  const program = findProgram(name);
  if (program === undefined) throw new Error(`${name} is not installed`);
  const child = spawn(program, args, {
    ...account,
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  void ended.then(() => process.off('exit', kill));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    await waitUntil(() => hasEnded(child) || isListening(port));
    if (hasEnded(child)) throw new Error('it has ended');
  } catch (error) {
    await stop();
    throw new Error(`${name} did not start:\n${output}`, { cause: error });
  }
  return { output: () => output, stop };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
