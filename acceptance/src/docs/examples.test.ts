import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Event } from '@tps/contract';
import { newFolder } from '@tps/testing/fixture';
import { FROM_SOURCE, spawnProgram, spawnService, sqliteEnv } from '@tps/testing/process';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { readList } from '../service/read-api.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));
const DEVICE_APP = join(EXAMPLES, 'device-app/src/main.ts');
const FEED_TO_FILE = join(EXAMPLES, 'feed-to-file/src/main.ts');
const LURE =
  'Your parcel is held at customs. Pay the fee within 24 hours or it is returned: https://parcel.example/pay';
const KILLS = 8;
const MESSAGES_A_ROUND = 40;

async function startScene() {
  const folder = newFolder();
  const service = await spawnService({ env: sqliteEnv(join(folder, 'service.db')) });
  const { baseUrl } = service;
  const { admin, tenantId } = service.credentials();
  const createToken = async (...scopes: string[]) => {
    const response = await fetch(`${baseUrl}/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'example', scopes }),
    });
    return ((await response.json()) as { token: string }).token;
  };
  const createSecret = async () => {
    const response = await fetch(`${baseUrl}/enrolments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'example' }),
    });
    return ((await response.json()) as { secret: string }).secret;
  };
  return { folder, baseUrl, admin, tenantId, createToken, createSecret };
}

/** Sends messages to the device application and returns its output lines. */
async function filterMessages(messages: readonly string[], env: Record<string, string>): Promise<string[]> {
  const child = spawn(process.execPath, [...FROM_SOURCE, DEVICE_APP], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(messages.map((message) => `${message}\n`).join(''));
  const output = await text(child.stdout);
  return output.trim().split('\n');
}

test('the programs that embed the agent are at most 60 lines long', () => {
  for (const name of ['device-app', 'feed-to-file']) {
    const file = join(EXAMPLES, name, 'src/main.ts');
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length, file).toBeLessThanOrEqual(60);
    expect(readdirSync(join(EXAMPLES, name, 'src'))).toEqual(['main.ts']);
  }
});

test('a consumer that is killed repeatedly writes each event once, in order', async () => {
  const { folder, baseUrl, admin, tenantId, createToken, createSecret } = await startScene();
  const app = {
    AGENT_DIRECTORY: join(folder, 'agent'),
    TPS_URL: baseUrl,
    TPS_TENANT: tenantId,
    TPS_ENROLMENT_SECRET: await createSecret(),
  };
  const consumer = {
    TPS_URL: baseUrl,
    TPS_CREDENTIAL: await createToken('events:read'),
    FEED_FILE: join(folder, 'events.ndjson'),
  };
  const readFile = () => (existsSync(consumer.FEED_FILE) ? readFileSync(consumer.FEED_FILE, 'utf8') : '');

  const unknown = 'Τα λέμε αύριο το πρωί στην είσοδο';
  expect(await filterMessages(['Lunch at noon?', LURE, unknown, `${unknown} 694 123 4567`], app)).toEqual([
    'allow  Lunch at noon?',
    `block  ${LURE}`,
    `allow  ${unknown}`,
    `warn  ${unknown} 694 123 4567`,
  ]);

  const messages = Array.from({ length: MESSAGES_A_ROUND }, (_, number) => `${LURE}?id=${number}`);
  const sent = (async () => {
    for (let round = 0; round < 4; round += 1) await filterMessages(messages, app);
  })();
  // The first life ends at its first write. The others end before, during or after theirs, on a slow machine too.
  let firstWriteMs = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const startedAt = performance.now();
    const program = spawnProgram({ program: FEED_TO_FILE, env: consumer });
    if (kill === 1) {
      await waitUntil(() => readFile() !== '');
      firstWriteMs = performance.now() - startedAt;
    } else await sleep(firstWriteMs * (0.5 + Math.random()));
    await program.kill();
  }
  await sent;
  const last = spawnProgram({ program: FEED_TO_FILE, env: consumer });
  // The killed programs may have written everything. One more event shows that the last one runs.
  await filterMessages([`${LURE}?id=last`], app);
  const { items } = await readList<Event>(baseUrl, '/events', { credential: admin, limit: 500 });
  expect(items.length).toBeGreaterThanOrEqual(4 * MESSAGES_A_ROUND + 2);
  await waitUntil(() => readFile().split('\n').length > items.length);
  last.signal('SIGTERM');
  expect((await last.ended).code).toBe(0);
  const written = readFile()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
  expect(written).toEqual(items);
});
