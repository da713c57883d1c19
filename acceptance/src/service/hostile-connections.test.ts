import { readdirSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type SpawnedService, spawnService } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { type Misuse, openHostile } from './hostile-sockets.ts';

/** A common limit of a shell. The service must stay below it with the connections that it accepts. */
const DESCRIPTORS = 1024;
const ATTACKER = '127.0.0.1';
const CUSTOMER = '127.0.0.2';
/** 1,100 in total. Few do not read: what they do not read is in the memory of this machine. */
const MISUSES: readonly (readonly [Misuse, number])[] = [
  ['silent', 300],
  ['half-open', 300],
  ['slow header', 290],
  ['slow body', 190],
  ['not reading', 20],
];
const SHORT_DEADLINES = {
  SERVICE_HEADER_TIMEOUT_SECONDS: '2',
  SERVICE_TRANSFER_TIMEOUT_SECONDS: '2',
  SERVICE_TRANSFER_BYTES_PER_SECOND: '1000000',
  SERVICE_CLOSE_TIMEOUT_SECONDS: '2',
};
const isLinux = process.platform === 'linux';

async function start(env: Record<string, string>): Promise<SpawnedService> {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  return spawnService({ descriptors: DESCRIPTORS, env: { SERVICE_DATABASE_URL: store.url, ...env } });
}

/** Requests over a new connection. Returns the status, or the code of the error. */
function get(service: SpawnedService, path: string, from: string): Promise<number | string> {
  const { port } = new URL(service.baseUrl);
  const headers = { authorization: `Bearer ${service.credentials().admin}` };
  return new Promise((resolve) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path, headers, localAddress: from, agent: false, timeout: 20_000 },
      (answer) => answer.resume().once('end', () => resolve(answer.statusCode ?? 0)),
    );
    outgoing.once('timeout', () => outgoing.destroy(new Error('no response')));
    outgoing.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end();
  });
}

function countSockets({ pid }: SpawnedService): number {
  const folder = `/proc/${pid}/fd`;
  const isSocket = (descriptor: string) => {
    try {
      return readlinkSync(`${folder}/${descriptor}`).startsWith('socket:');
    } catch {
      return false;
    }
  };
  return readdirSync(folder).filter(isSocket).length;
}

function attack(service: SpawnedService, localAddress: string, misuses = MISUSES): void {
  const options = {
    port: Number(new URL(service.baseUrl).port),
    credential: service.credentials().admin,
    localAddress,
  };
  for (const [misuse, count] of misuses) {
    for (let opened = 0; opened < count; opened += 1) openHostile(misuse, options);
  }
}

test.runIf(isLinux)(
  '1,100 misused connections do not shut out other addresses, and end in time',
  async () => {
    const service = await start(SHORT_DEADLINES);
    expect(await get(service, '/status', CUSTOMER)).toBe(200);
    const before = countSockets(service);
    attack(service, ATTACKER);
    await waitUntil(() => countSockets(service) > before + 100);
    for (let sent = 0; sent < 40; sent += 1) {
      expect(await get(service, '/status', CUSTOMER)).toBe(200);
      expect(await get(service, '/readyz', CUSTOMER)).toBe(200);
    }
    // The clients keep their ends open: only the service can have ended these.
    await waitUntil(() => countSockets(service) <= before);
    expect(await get(service, '/status', ATTACKER)).toBe(200);
    expect((await service.stop()).code).toBe(0);
  },
);

test.runIf(isLinux)('silent connections from many addresses make room for a new one', async () => {
  const service = await start({
    SERVICE_MAX_CONNECTIONS: '40',
    SERVICE_MAX_CONNECTIONS_PER_ADDRESS: '20',
    // The connections to the store are counted too.
    SERVICE_DATABASE_POOL_SIZE: '2',
  });
  const before = countSockets(service);
  for (let host = 1; host <= 10; host += 1) attack(service, `127.0.1.${host}`, [['silent', 10]]);
  await waitUntil(() => countSockets(service) >= before + 40);
  for (let sent = 0; sent < 20; sent += 1) expect(await get(service, '/status', CUSTOMER)).toBe(200);
  expect(countSockets(service)).toBeLessThanOrEqual(before + 45);
});

test.runIf(isLinux)(
  'with no idle connection left a new one is closed at once, until others end',
  async () => {
    const service = await start({
      SERVICE_MAX_CONNECTIONS: '16',
      SERVICE_MAX_CONNECTIONS_PER_ADDRESS: '8',
      SERVICE_HEADER_TIMEOUT_SECONDS: '5',
    });
    const before = countSockets(service);
    for (const host of [1, 2, 3, 4]) attack(service, `127.0.1.${host}`, [['slow header', 8]]);
    await waitUntil(() => countSockets(service) >= before + 16);
    // An attempt succeeds if it comes before the first byte of the newest connection: it replaces that one.
    await waitUntil(async () => {
      attack(service, '127.0.1.5', [['slow header', 1]]);
      await sleep(200);
      return (await get(service, '/status', CUSTOMER)) === 'ECONNRESET';
    });
    await waitUntil(async () => (await get(service, '/status', CUSTOMER)) === 200);
    await waitUntil(() => service.output().includes('"msg":"connections refused"'));
  },
);
