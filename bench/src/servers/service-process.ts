import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@tps/testing/network';
import { type CallableProcess, toCallable } from '../process-calls.ts';
import type { LoopProbeCalls } from './loop-probe.ts';

const MAIN = fileURLToPath(new URL('../../../packages/server/src/main.js', import.meta.url));
/** As in `npm start` and `tps`. */
const HEAP_OPTION = '--max-semi-space-size=8';
const LOOP_PROBE = new URL('./loop-probe.ts', import.meta.url).href;
const READY_WITHIN_MS = 30_000;

/** The service as its users run it: the program in its own process. */
export interface ServiceProcess {
  readonly pid: number;
  readonly baseUrl: string;
  readonly metricsUrl: string;
  readonly probe: CallableProcess<LoopProbeCalls>;
  /** From the start of the process until it is ready. */
  readonly readyMs: number;
  /**
   * Returns the first tenant, the credential of its administrator, and the link with which a person becomes one.
   *
   * @throws Error on a store that is not new
   */
  tenant(): Promise<{ tenantId: string; credential: string; adminLink: string }>;
  /** Stops the process as an operator would, and waits until it has exited. */
  stop(): Promise<void>;
}

/** Starts the service on a store. */
export async function startService(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, HEAP_OPTION, '--import', LOOP_PROBE, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      SERVICE_DATABASE_URL: databaseUrl,
      SERVICE_BIND: `127.0.0.1:${port}`,
      SERVICE_METRICS_BIND: `127.0.0.1:${metricsPort}`,
      // One tenant sends everything. The limit still counts each request.
      SERVICE_RATE_LIMIT_PER_MINUTE: '1000000',
      ...env,
    },
  });
  // The service must not outlive this process.
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
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ready = new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout ?? Readable.from([]) }).on('line', (line) => {
      output += `${line}\n`;
      if (line.includes('"service started"')) resolve(performance.now() - startedAt);
    });
    child.once('exit', () => reject(new Error(`The service ended:\n${output}`)));
    setTimeout(() => reject(new Error(`The service was not ready:\n${output}`)), READY_WITHIN_MS).unref();
  });
  try {
    const readyMs = await ready;
    const probe = toCallable<LoopProbeCalls>(child, LOOP_PROBE);
    const baseUrl = `http://127.0.0.1:${port}`;
    const tenant = async () => readTenant(output);
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    return { pid: probe.pid, baseUrl, metricsUrl, probe, readyMs, tenant, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reads the first tenant, its credential and its link from the file that the log names, and removes the file. */
function readTenant(output: string) {
  const file = /"file":"([^"]+)","msg":"first credentials written/.exec(output)?.[1];
  if (file === undefined) throw new Error('the service wrote no credential');
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  const [, tenantId = ''] = /^ +tenant +(\S+)$/m.exec(text) ?? [];
  const [, credential = ''] = /^ +tenant admin +(\S+)$/m.exec(text) ?? [];
  const [, adminLink = ''] = /^ +(http\S+\/auth\/\S+)$/m.exec(text) ?? [];
  return { tenantId, credential, adminLink };
}
