import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import * as restate from '@restatedev/restate-sdk';
import { serveCalls } from '../src/process-calls.ts';
import { deliver } from './deliver.mjs';
import { setDeviceKeys, verifyEvent } from './verify.mjs';

const READY_WITHIN_MS = 30_000;

/** Deliveries wait here until the queue is full. */
let openGate = () => {};
const gate = new Promise((resolve) => {
  openGate = resolve;
});

const events = restate.service({
  name: 'Events',
  handlers: {
    /** Restate keeps the request and this result. Nothing is derived. */
    ingest: restate.handlers.handler(
      { accept: 'application/json', input: restate.serde.binary },
      async (context, body) => {
        const { headers } = context.request();
        const message = { method: 'POST', path: '/Events/ingest', header: (name) => headers.get(name) };
        await verifyEvent(message, body).catch((cause) => {
          throw new restate.TerminalError('The signature is not valid.', { errorCode: 401, cause });
        });
        return { status: 'stored' };
      },
    ),
  },
});

const push = restate.service({
  name: 'Push',
  handlers: {
    deliver: async (context, delivery) => {
      await gate;
      await context.run('post', () => deliver(delivery), {
        initialRetryInterval: 1000,
        maxRetryAttempts: 10,
      });
    },
  },
});

/** Ends with this process, which ends with the benchmark. */
function startServer({ directory, ports }) {
  const binary = `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;
  const server = spawn(createRequire(import.meta.url).resolve(binary), ['--no-logo'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      RESTATE_BASE_DIR: directory,
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_BIND_PORT: String(ports.node),
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ports.ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${ports.admin}`,
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_LOG_FILTER: 'error,octocrab=off',
      // One per core. The default is 24.
      RESTATE_DEFAULT_NUM_PARTITIONS: String(availableParallelism()),
    },
  });
  process.on('exit', () => server.kill('SIGKILL'));
  // The end of this process shows that the server has ended too.
  process.on('SIGTERM', () => {
    server.once('exit', () => process.exit());
    server.kill('SIGKILL');
  });
}

/** Registers the handlers as soon as the server responds. */
async function register(ports) {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const problem = await postDeployment(ports);
    if (problem === undefined) return;
    if (performance.now() > deadline) throw new Error(`Restate was not ready: ${problem}`);
    await sleep(200);
  }
}

/** Returns undefined after success. */
async function postDeployment(ports) {
  try {
    const answer = await fetch(`http://127.0.0.1:${ports.admin}/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri: `http://127.0.0.1:${ports.handlers}` }),
    });
    return answer.ok ? undefined : `${answer.status} ${await answer.text()}`;
  } catch (error) {
    return String(error);
  }
}

const calls = {
  /**
   * Starts the server on an empty directory, with the handlers in this process, and returns the origin of its ingress.
   *
   * @param {{ directory: string, ports: Record<'ingress' | 'admin' | 'node' | 'handlers', number>, devices: readonly { deviceId: string, publicKeyB64: string }[] }} options
   */
  async listen({ directory, ports, devices }) {
    setDeviceKeys(devices);
    const endpoint = restate.createEndpointHandler({ services: [events, push], logger: () => {} });
    await once(createServer(endpoint).listen(ports.handlers, '127.0.0.1'), 'listening');
    startServer({ directory, ports });
    await register(ports);
    return `http://127.0.0.1:${ports.ingress}`;
  },
  async startDelivering() {
    openGate();
  },
};

serveCalls(calls);
