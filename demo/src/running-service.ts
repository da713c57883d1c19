import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));
const READY_WITHIN_MS = 15_000;
/** The service itself promises to be gone within 10 s. */
const STOPPED_WITHIN_MS = 12_000;
const LINES_KEPT = 20;

export interface RunningService {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly credential: string;
  readonly pid: number;
  /** Where its store is. Goes away with it. */
  readonly directory: string;
  readonly startedInMs: number;
  /** Stops the process and removes its store. A repeat does nothing. */
  stop(): Promise<void>;
}

type Announced = Pick<RunningService, 'baseUrl' | 'tenantId' | 'credential'>;

/** Starts the service as a user would, on a free port and a fresh store, and reads what it prints. */
export async function startService(): Promise<RunningService> {
  const directory = mkdtempSync(join(tmpdir(), 'tps-demo-'));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutSettings(process.env),
      SERVICE_BIND: '127.0.0.1:0',
      SERVICE_METRICS_BIND: 'off',
      SERVICE_DATABASE_URL: `sqlite:${join(directory, 'demo.db')}`,
      SERVICE_SECRET_KEY_B64: randomBytes(32).toString('base64'),
      // The receivers run on this machine, beside the service.
      SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
      // A whole fleet in half a minute: more than the 120 requests a minute that a tenant has by default.
      SERVICE_RATE_LIMIT_PER_MINUTE: '1000000',
    },
  });
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= end(child).finally(() => rmSync(directory, { recursive: true, force: true }));
    return stopping;
  };
  try {
    const announced = await readAnnouncement(child);
    return {
      ...announced,
      directory,
      pid: child.pid ?? 0,
      startedInMs: Math.round(performance.now() - startedAt),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Settings that somebody made for a service of their own are none of the demo's. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SERVICE_')));
}

/** Reads address, tenant and admin credential from what the first start prints, and goes on draining the output. */
function readAnnouncement(child: ChildProcess): Promise<Announced> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The service was started without a way to read its output.');
  const found: Partial<Announced> = {};
  const lastLines: string[] = [];
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new Error(`The service ${why}. Its last lines:\n${lastLines.join('\n')}`));
    };
    const timer = setTimeout(() => fail(`was not ready within ${READY_WITHIN_MS} ms`), READY_WITHIN_MS);
    const onLine = (line: string) => {
      lastLines.push(line);
      if (lastLines.length > LINES_KEPT) lastLines.shift();
      Object.assign(found, readLine(line));
      const { baseUrl, tenantId, credential } = found;
      if (!baseUrl || !tenantId || !credential) return;
      clearTimeout(timer);
      resolve({ baseUrl, tenantId, credential });
    };
    for (const input of [stdout, stderr]) createInterface({ input }).on('line', onLine);
    child.once('error', (error) => fail(`could not be started: ${error.message}`));
    child.once('exit', (code) => fail(`ended with code ${code}`));
  });
}

function readLine(line: string): Partial<Announced> {
  const tenantId = /^ +tenant +(tnt_\w+)$/.exec(line)?.[1];
  if (tenantId) return { tenantId };
  const credential = /^ +tenant admin +(svc_live_\w+)$/.exec(line)?.[1];
  if (credential) return { credential };
  const baseUrl = /"baseUrl":"(http:[^"]+)"/.exec(line)?.[1];
  return baseUrl ? { baseUrl } : {};
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
  await exited;
  clearTimeout(forced);
}
