import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../packages/server/src/main.js', import.meta.url));
/** A busy machine takes minutes to start the service. */
const REPORT_EVERY_MS = 5_000;
/** The service itself stops within 10 s. */
const STOP_TIMEOUT_MS = 12_000;
const KEPT_LINES = 20;

export interface RunningService {
  readonly baseUrl: string;
  readonly tenantId: string;
  /** Of the tenant's administrator. */
  readonly credential: string;
  readonly pid: number;
  /** Holds the store, and is removed with it. */
  readonly directory: string;
  readonly startedInMs: number;
  /** Stops the process and removes its store. */
  stop(): Promise<void>;
}

interface StartOptions {
  /** The program of the service. */
  readonly main?: string;
  readonly reportEveryMs?: number;
  /** Prints what the start waits for. */
  readonly report?: (line: string) => void;
}

/**
 * Starts the service on a free port and a new store, and waits for it as long as its process lives.
 * @throws Error with its last lines when the process ends
 */
export async function startService(options: StartOptions = {}): Promise<RunningService> {
  const { main = MAIN, reportEveryMs = REPORT_EVERY_MS, report = console.error } = options;
  const directory = mkdtempSync(join(tmpdir(), 'tps-demo-'));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, main], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      // Without settings that were made for another service.
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SERVICE_'))),
      SERVICE_BIND: '127.0.0.1:0',
      SERVICE_METRICS_BIND: 'off',
      SERVICE_DATABASE_URL: `sqlite:${join(directory, 'demo.db')}`,
      SERVICE_SECRET_KEY_B64: randomBytes(32).toString('base64'),
      // The receivers of the webhooks run on this machine.
      SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
      // A whole fleet sends more than the default of 120 requests a minute.
      SERVICE_RATE_LIMIT_PER_MINUTE: '1000000',
    },
  });
  const stop = async () => {
    await end(child);
    rmSync(directory, { recursive: true, force: true });
  };
  const reports = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    report(`Waiting for the service to start: process ${child.pid}, ${seconds} s so far.`);
  }, reportEveryMs);
  try {
    const announced = await readAnnouncement(child).finally(() => clearInterval(reports));
    const startedInMs = Math.round(performance.now() - startedAt);
    return { ...announced, directory, pid: child.pid ?? 0, startedInMs, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Announcement = Pick<RunningService, 'baseUrl' | 'tenantId' | 'credential'>;

/** Reads the address from the log, and tenant and credential from the file that it names. Then drains the output. */
function readAnnouncement(child: ChildProcess): Promise<Announcement> {
  const lastLines: string[] = [];
  let found: Partial<Announcement> = {};
  return new Promise((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new Error(`The service ${reason}. Its last lines:\n${lastLines.join('\n')}`));
    for (const input of [child.stdout, child.stderr]) {
      if (!input) continue;
      createInterface({ input }).on('line', (line) => {
        lastLines.push(line);
        if (lastLines.length > KEPT_LINES) lastLines.shift();
        found = { ...found, ...readLine(line) };
        const { baseUrl, tenantId, credential } = found;
        if (baseUrl && tenantId && credential) resolve({ baseUrl, tenantId, credential });
      });
    }
    child.once('error', (error) => fail(`could not be started: ${error.message}`));
    // Not `exit`: its last lines may arrive after that.
    child.once('close', (code, signal) => fail(signal ? `ended by ${signal}` : `ended with code ${code}`));
  });
}

function readLine(line: string): Partial<Announcement> {
  const baseUrl = /"baseUrl":"(http:[^"]+)"/.exec(line)?.[1];
  if (baseUrl) return { baseUrl };
  const file = /"file":("[^"]+"),"msg":"first credentials written/.exec(line)?.[1];
  if (!file) return {};
  const text = readFileSync(JSON.parse(file) as string, 'utf8');
  const tenantId = /^ +tenant +(tnt_\w+)$/m.exec(text)?.[1];
  const credential = /^ +tenant admin +(svc_live_\w+)$/m.exec(text)?.[1];
  return { ...(tenantId && { tenantId }), ...(credential && { credential }) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(forced);
}
