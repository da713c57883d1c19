import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { WorkerMessage, WorkerPlan } from './worker-protocol.ts';

/** A worker process. After a kill, a new process continues with the same device directories. */
export interface WorkerProcess {
  /** Resolves when the worker records. @throws Error when it ends before that */
  readonly ready: Promise<void>;
  /** Ends the process with SIGKILL, as a power cut would, and starts another one. */
  kill(): Promise<void>;
  /** Stops recording and delivers everything. Resolves when the process has ended. @throws Error when it failed */
  drain(): Promise<void>;
  /** Ends the process for good. */
  abandon(): void;
}

interface WorkerOptions {
  readonly plan: WorkerPlan;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onMessage: (message: WorkerMessage) => void;
}

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));
const NODE_OPTIONS = ['--conditions=source', '--disable-warning=ExperimentalWarning'];
/** The end of what a worker writes to stderr: shown when it fails. */
const STDERR_LENGTH = 4096;

export function startWorker(options: WorkerOptions): WorkerProcess {
  let child = spawnWorker(options);
  return {
    ready: child.ready,
    async kill() {
      child.process.kill('SIGKILL');
      await child.ended.catch(() => undefined);
      child = spawnWorker(options);
    },
    async drain() {
      child.process.stdin.end();
      await child.ended;
    },
    abandon: () => void child.process.kill('SIGKILL'),
  };
}

function spawnWorker({ plan, env, onMessage }: WorkerOptions) {
  const { PATH, NODE_EXTRA_CA_CERTS } = env;
  const child = spawn(process.execPath, [...NODE_OPTIONS, WORKER, JSON.stringify(plan)], {
    env: { PATH, ...(NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Writing to a killed process fails.
  child.stdin.on('error', () => undefined);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_LENGTH);
  });
  let becomeReady: () => void = () => undefined;
  const isReady = new Promise<void>((resolve) => {
    becomeReady = resolve;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parseLine(line);
    if (message) onMessage(message);
    if (message?.[0] === 'ready') becomeReady();
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`A worker process ended with ${code ?? 'a signal'}. ${stderr.trim()}`));
    });
  });
  const ready = Promise.race([isReady, ended]);
  // The callers of `ready` and `drain` handle a failure. Until then it must not count as unhandled.
  ended.catch(() => undefined);
  ready.catch(() => undefined);
  return { process: child, ended, ready };
}

/** Returns undefined for the last line of a killed worker, which may be incomplete. */
function parseLine(line: string): WorkerMessage | undefined {
  try {
    return JSON.parse(line) as WorkerMessage;
  } catch {
    return undefined;
  }
}
