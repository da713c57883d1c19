import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { WorkerMessage, WorkerPlan } from './worker-protocol.ts';

/** A worker, which is started again when it was killed, and goes on where its devices' disks are. */
export interface WorkerProcess {
  /** Resolves when it records. @throws Error when it ends before */
  readonly ready: Promise<void>;
  /** Ends it as a power cut would. Resolves when it runs again. */
  kill(): Promise<void>;
  /** Lets it record no more and deliver everything. Resolves when it has ended. @throws Error when it failed */
  drain(): Promise<void>;
  /** Ends it for good. */
  abandon(): void;
}

interface WorkerOptions {
  readonly plan: WorkerPlan;
  readonly credential: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onMessage: (message: WorkerMessage) => void;
}

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

function spawnWorker({ plan, credential, env, onMessage }: WorkerOptions) {
  const main = fileURLToPath(new URL('./worker.ts', import.meta.url));
  const { PATH, NODE_EXTRA_CA_CERTS } = env;
  const process_ = spawn(
    process.execPath,
    ['--conditions=source', '--disable-warning=ExperimentalWarning', main, JSON.stringify(plan)],
    {
      // The credential goes by the environment: arguments stand in the list of processes.
      env: { PATH, TPS_CREDENTIAL: credential, ...(NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {}) },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  // Whoever was killed hears nothing more.
  process_.stdin.on('error', () => undefined);
  let said = '';
  process_.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4096);
  });
  let becomeReady: () => void = () => undefined;
  const isReady = new Promise<void>((resolve) => {
    becomeReady = resolve;
  });
  createInterface({ input: process_.stdout }).on('line', (line) => {
    const message = parseLine(line);
    if (message) onMessage(message);
    if (message?.[0] === 'ready') becomeReady();
  });
  const ended = new Promise<void>((resolve, reject) => {
    process_.once('error', reject);
    process_.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`A worker ended with ${code ?? 'a signal'}. ${said.trim()}`));
    });
  });
  // Heard by whoever waits for it; until then it is not unhandled.
  ended.catch(() => undefined);
  const ready = Promise.race([isReady, ended]);
  ready.catch(() => undefined);
  return { process: process_, ended, ready };
}

/** The last line of a killed worker may be torn. */
function parseLine(line: string): WorkerMessage | undefined {
  try {
    return JSON.parse(line) as WorkerMessage;
  } catch {
    return undefined;
  }
}
