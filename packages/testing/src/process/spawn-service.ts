import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { newFolder } from '../fixture/new-folder.ts';
import { waitUntil } from '../time/wait-until.ts';

/** The file that runs the service. */
export const SERVICE_MAIN = fileURLToPath(new URL('../../../server/src/main.js', import.meta.url));
/** Arguments of Node to run TypeScript. Packages resolve each other's sources under this condition. */
export const FROM_SOURCE = ['--conditions=source', '--disable-warning=ExperimentalWarning'];
const READY_WITHIN_MS = 60_000;
const READY = '"msg":"service started"';

/** What the first start created. */
export interface FirstCredentials {
  readonly tenantId: string;
  /** With it, a person becomes the administrator. It works once. */
  readonly adminLink: string;
  readonly operator: string;
  readonly admin: string;
}

interface Exit {
  /** `null` after a signal that the process did not handle. */
  readonly code: number | null;
  /** Standard output and standard error together. */
  readonly output: string;
}

/** The program in its own process. */
export interface SpawnedProcess {
  readonly pid: number;
  readonly ended: Promise<Exit>;
  /** The output so far. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Kills it, as a power cut would, and waits for its end. Does nothing when it has ended already. */
  kill(): Promise<void>;
}

export interface SpawnedService extends SpawnedProcess {
  readonly baseUrl: string;
  /** Time from the start of the process until it was ready. */
  readonly readyAfterMs: number;
  /** @throws Error unless this was the first start */
  credentials(): FirstCredentials;
  /** Sends SIGTERM and waits for its end. */
  stop(): Promise<Exit>;
}

export interface SpawnOptions {
  /** The file to run (default: the service's main file). */
  readonly program?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** How many files and sockets it may have open. Needs bash. */
  readonly descriptors?: number;
}

/** Runs the program with only the given variables. It ends with the test. */
export function spawnProgram({
  program = SERVICE_MAIN,
  args = [],
  env = {},
  cwd,
  descriptors,
}: SpawnOptions): SpawnedProcess {
  const command = [process.execPath, ...FROM_SOURCE, program, ...args];
  const limited = ['bash', '-c', 'ulimit -n "$0" && exec "$@"', String(descriptors), ...command];
  const [file = '', ...fileArgs] = descriptors === undefined ? command : limited;
  const child = spawn(file, fileArgs, {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<Exit>((resolve) => child.once('close', (code) => resolve({ code, output })));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  void ended.then(() => process.off('exit', killWithUs));
  onTestFinished(kill);
  const { pid } = child;
  if (pid === undefined) throw new Error('the program did not start');
  return { pid, ended, output: () => output, signal: (name) => void child.kill(name), kill };
}

/** Starts the service on a free port and waits until it is ready. */
export async function spawnService(options: SpawnOptions = {}): Promise<SpawnedService> {
  const startedAt = performance.now();
  const program = spawnProgram({
    // Relative paths, such as the default store, are resolved against it.
    cwd: newFolder(),
    ...options,
    env: {
      SERVICE_BIND: '127.0.0.1:0',
      SERVICE_METRICS_BIND: 'off',
      SERVICE_RATE_LIMIT_PER_MINUTE: '1000000',
      ...options.env,
    },
  });
  await Promise.race([
    waitUntil(() => program.output().includes(READY), READY_WITHIN_MS),
    program.ended.then(({ output }) => {
      throw new Error(`the service ended before it was ready:\n${output}`);
    }),
  ]).catch((error: unknown) => {
    throw new Error(`the service did not become ready:\n${program.output()}`, { cause: error });
  });
  const readyAfterMs = performance.now() - startedAt;
  const line =
    program
      .output()
      .split('\n')
      .find((text) => text.includes(READY)) ?? '{}';
  const { baseUrl } = JSON.parse(line) as { baseUrl: string };
  return {
    ...program,
    baseUrl,
    readyAfterMs,
    credentials: () => readFirstCredentials(program.output()),
    stop() {
      program.signal('SIGTERM');
      return program.ended;
    },
  };
}

/** Returns the file that the first start has written credentials to. */
export function findCredentialsFile(output: string): string | undefined {
  const line = output.split('\n').find((text) => text.includes('"msg":"first credentials written'));
  return line === undefined ? undefined : (JSON.parse(line) as { file: string }).file;
}

function readFirstCredentials(output: string): FirstCredentials {
  const file = findCredentialsFile(output);
  if (file === undefined) throw new Error(`the service wrote no credentials:\n${output}`);
  return parseCredentials(readFileSync(file, 'utf8'));
}

/** Reads the text of the first start. */
export function parseCredentials(text: string): FirstCredentials {
  const tenantId = /^ {2}tenant +(\S+)$/m.exec(text)?.[1];
  const operator = /^ {2}operator credential +(\S+)$/m.exec(text)?.[1];
  const admin = /^ {2}tenant admin +(\S+)$/m.exec(text)?.[1];
  const adminLink = /^ {2}(https?:\S+)$/m.exec(text)?.[1];
  if (!tenantId || !operator || !admin || !adminLink)
    throw new Error(`there are no credentials in:\n${text}`);
  return { tenantId, adminLink, operator, admin };
}

/** Returns the variables of a service on an SQLite file. */
export function sqliteEnv(path: string): Record<string, string> {
  return { SERVICE_DATABASE_URL: `sqlite:${path}` };
}
