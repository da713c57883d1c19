import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { runCommand, spawnService, sqliteEnv } from '@tps/testing/process';
import { startReceiver } from '@tps/testing/receiver';
import { WEBHOOK_ENV } from '@tps/testing/service';
import { createTestStore } from '@tps/testing/store';
import { expect, onTestFinished, test } from 'vitest';
import { eventIdOf } from '../webhooks/push-service.ts';
import { runPrevious, startPrevious, unpackPreviousVersion } from './previous-version.ts';
import { change, fillStore, isAccepted, readContent, sendEvents } from './store-content.ts';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
const NEWER = /The database was migrated by a newer version of the service \(00.*\)\. Start that version/;

async function startReceiving() {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  return receiver;
}

/** Starts the last release on an empty store, and fills it. */
async function startOld(storeEnv: Readonly<Record<string, string>>) {
  const receiver = await startReceiving();
  const previous = unpackPreviousVersion();
  const env = { ...WEBHOOK_ENV, ...storeEnv };
  const old = await startPrevious(previous, env);
  const { admin } = old;
  const { device, token } = await fillStore(old, { ...old, receiver: receiver.url });
  await receiver.waitFor(6);
  return { previous, env, old, device, token, receiver, admin };
}

/** Starts this version, and checks that it continues where the last release stopped. Leaves it stopped and verified. */
async function upgrade(scene: Awaited<ReturnType<typeof startOld>>): Promise<void> {
  const { env, old, device, token, receiver, admin } = scene;
  const before = await readContent(old, admin);
  await old.stop();
  const upgraded = await spawnService({ env });
  expect(await readContent(upgraded, admin)).toMatchObject(before);
  expect(await isAccepted(upgraded, token.token ?? '')).toBe(true);
  const [sent] = await sendEvents(upgraded, device, 1);
  await receiver.waitFor(7);
  expect(receiver.requests.map(eventIdOf).at(-1)).toBe(sent);
  const [job] = before.jobs ?? [];
  await change(upgraded, admin, ['POST', `/jobs/${job?.job_id}/review`, { decision: 'approve' }]);
  await upgraded.stop();
  expect(await runCommand(['verify'], env)).toMatchObject({ code: 0 });
}

test.runIf(IS_SQLITE)('the last release is upgraded on SQLite, and taken back from its backup', async () => {
  const folder = newFolder();
  const scene = await startOld(sqliteEnv(join(folder, 'service.db')));
  const { previous, env, old, admin } = scene;
  const before = await readContent(old, admin);
  const backup = join(folder, 'before.db');
  expect(await runPrevious(previous, ['backup', backup], env)).toMatchObject({ code: 0 });
  await upgrade(scene);

  const refused = await runPrevious(previous, [], env);
  expect(refused.output).toMatch(NEWER);
  expect(refused.code).toBe(1);
  expect(await runPrevious(previous, ['restore', backup, '--force'], env)).toMatchObject({ code: 0 });
  const restored = await spawnService({ env, program: previous.program });
  expect(await readContent(restored, admin)).toMatchObject(before);
});

test.skipIf(IS_SQLITE)('the last release is upgraded on PostgreSQL, and does not start again', async () => {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const scene = await startOld({ SERVICE_DATABASE_URL: store.url });
  await upgrade(scene);
  const refused = await runPrevious(scene.previous, [], scene.env);
  expect(refused.output).toMatch(NEWER);
  expect(refused.code).toBe(1);
});
