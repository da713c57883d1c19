import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../service-internals.ts';

const MAIN = fileURLToPath(new URL('../../../packages/server/src/main.ts', import.meta.url));
const READY_WITHIN_MS = 30_000;

/** The service as its users run it: the program in its own process. */
export interface ServiceProcess {
  readonly pid: number;
  readonly baseUrl: string;
  readonly metricsUrl: string;
  /** From the start of the process until it says that it is ready. */
  readonly readyMs: number;
  /** Of the first start on an empty store; undefined on one that was used before. */
  readonly credential: string | undefined;
  /** Stops it as an operator would and waits until it is gone. */
  stop(): Promise<void>;
}

/** Starts the service on a store. */
export async function startService(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      SERVICE_DATABASE_URL: databaseUrl,
      SERVICE_BIND: `127.0.0.1:${port}`,
      SERVICE_METRICS_BIND: `127.0.0.1:${metricsPort}`,
      // One tenant sends everything here; the limit still counts each request.
      SERVICE_RATE_LIMIT_PER_MINUTE: '1000000',
      ...env,
    },
  });
  // However this process ends, the service does not outlive it.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      process.off('exit', kill);
      resolve();
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ready = new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      said += `${line}\n`;
      if (line.includes('"service started"')) resolve(performance.now() - startedAt);
    });
    child.once('exit', () => reject(new Error(`The service ended:\n${said}`)));
    setTimeout(() => reject(new Error(`The service was not ready:\n${said}`)), READY_WITHIN_MS).unref();
  });
  try {
    const readyMs = await ready;
    // The credentials of the first start are written right after.
    const credential = await firstCredential(() => said);
    const { pid = 0 } = child;
    const baseUrl = `http://127.0.0.1:${port}`;
    return { pid, baseUrl, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`, readyMs, credential, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstCredential(said: () => string): Promise<string | undefined> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  return /tenant admin\s+(svc_\S+)/.exec(said())?.[1];
}

/** Finds the tenant that a credential is bound to: the status names it. */
export async function tenantOf(
  { baseUrl }: Pick<ServiceProcess, 'baseUrl'>,
  credential: string,
): Promise<string> {
  const response = await fetch(`${baseUrl}/status`, { headers: { authorization: `Bearer ${credential}` } });
  return ((await response.json()) as { tenant_id: string }).tenant_id;
}
