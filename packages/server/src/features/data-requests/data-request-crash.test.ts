import { execFile } from 'node:child_process';
import type { DataRequest } from '@tps/contract';
import { registerTestDevice } from '@tps/testing/device';
import { FROM_SOURCE } from '@tps/testing/process';
import { createContractClient, startTestService } from '@tps/testing/service';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { verifyStore } from '../maintenance/index.ts';

const SERVER = new URL('../../', import.meta.url);
/** More than two transactions erase. */
const EVENTS = 250;
/** The transaction that each process does not survive: that of the device, then those of events. */
const KILLED_AT = [1, 4, 2];

interface Victim {
  readonly url: string;
  readonly tenantId: string;
  readonly deviceId: string;
  readonly killedAt: number;
  readonly isFirst: boolean;
}

/** Works on a deletion as the service does, and ends itself before a commit, as in a power cut. */
function script({ url, tenantId, deviceId, killedAt, isFirst }: Victim): string {
  const from = (path: string) => JSON.stringify(new URL(`${path}.ts`, SERVER).href);
  return `
    import { openDatabase } from ${from('database/index')};
    import { RequestDatabase } from ${from('features/authority/index')};
    import { createOperator } from ${from('features/authority/testing/create-operator')};
    import { DataRequestService } from ${from('features/data-requests/data-request-service')};
    import { DataRequestWorker } from ${from('features/data-requests/data-request-worker')};
    import { systemClock as clock } from ${from('platform/clock')};
    import { createLogger } from ${from('platform/logger')};

    const database = await openDatabase(${JSON.stringify(url)});
    if (${isFirst}) {
      const requests = new RequestDatabase({ database, clock });
      const service = new DataRequestService({ clock, wake: () => undefined });
      const request = (await createOperator(database, 'tok_operator'))(${JSON.stringify(tenantId)});
      const deviceId = ${JSON.stringify(deviceId)};
      const wanted = { kind: 'deletion', subject: { device_id: deviceId }, confirm: deviceId };
      await requests.transaction(request, async (tx) => {
        const head = await service.lock(tx, request.tenantId);
        await service.create(tx, { ...service.accept(wanted), head }, request);
      });
    }
    let count = 0;
    const deadly = {
      ...database,
      transaction: (work, options) => database.transaction(async (tx) => {
        const result = await work(tx);
        count += 1;
        if (count === ${killedAt}) process.kill(process.pid, 'SIGKILL');
        return result;
      }, options),
    };
    const logger = createLogger({ level: 'silent' });
    new DataRequestWorker({ database: deadly, clock, logger }).start();
  `;
}

/** Runs a script to its end. Returns the signal that ended it, and its output. */
function runScript(code: string): Promise<{ signal: string | null | undefined; said: string }> {
  return new Promise((resolve) => {
    const args = [...FROM_SOURCE, '--input-type=module', '--eval', code];
    execFile(process.execPath, args, { timeout: 120_000, killSignal: 'SIGTERM' }, (error, stdout, stderr) =>
      resolve({ signal: error?.signal ?? null, said: stdout + stderr }),
    );
  });
}

test('a deletion that is killed between its transactions completes and counts once', async () => {
  const store = await createTestStore();
  onTestFinished(store.drop);
  const first = await startTestService({ store });
  const { tenantId, credential } = first.tenant;
  const { deviceId, ...device } = await registerTestDevice(first);
  const other = await registerTestDevice(first);
  expect((await other.post(other.event())).status).toBe(201);
  const events = Array.from({ length: EVENTS }, (_, at) => device.event({ indicators: [`sig:${at}`] }));
  expect((await device.post({ events }, { path: '/events/batch' })).status).toBe(200);
  expect((await other.post(other.event())).status).toBe(201);
  await first.stop();

  for (const [index, killedAt] of KILLED_AT.entries()) {
    const victim = { url: store.url, tenantId, deviceId, killedAt, isFirst: index === 0 };
    expect(await runScript(script(victim)), `${killedAt}`).toEqual({ signal: 'SIGKILL', said: '' });
  }

  const second = await first.startNode();
  const client = createContractClient(second.baseUrl);
  const read = async <Body>(path: string) => (await client.send('GET', path, { credential })).body as Body;
  let request: DataRequest | undefined;
  await waitUntil(async () => {
    [request] = (await read<{ data: DataRequest[] }>('/data-requests')).data;
    return request?.status === 'completed';
  });
  const countOf = (kind: string) => request?.records.find((each) => each.kind === kind)?.count;
  expect([countOf('event'), countOf('threat'), countOf('alert')]).toEqual([EVENTS, EVENTS, EVENTS]);
  const { data } = await read<{ data: { device_id: string }[] }>('/events?limit=100');
  expect(data.map((event) => event.device_id)).toEqual([other.deviceId, other.deviceId]);
  await second.stop();
  // The script stored its own token.
  const problems = (await verifyStore(store.url)).problems.filter((problem) => !/tok_operator/.test(problem));
  expect(problems).toEqual([]);
});
