import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type AgentHealth, enrolDevice } from '@tps/agent';
import type { Event, Incident } from '@tps/contract';
import { newFolder } from '@tps/testing/fixture';
import { findFreePort } from '@tps/testing/network';
import { type SpawnedService, spawnProgram, spawnService, sqliteEnv } from '@tps/testing/process';
import { repetitions } from '@tps/testing/soak';
import { waitUntil } from '@tps/testing/time';
import canonicalize from 'canonicalize';
import { expect, test } from 'vitest';
import { readList } from '../service/read-api.ts';

const RECORDING_AGENTS = fileURLToPath(new URL('./recording-agents.ts', import.meta.url));
/** Each kill ends all agents of the process, in the middle of different work: 25 times 8 are 200. */
const KILLS = Number(process.env.AGENT_KILLS ?? repetitions({ short: 3, soak: 25 }));
const AGENTS = Number(process.env.AGENTS_A_PROCESS ?? 8);
const SERVICE_KILLED_EVERY = 3;
/** About 4 KB each: over all lives more than the 1 MiB that the isolated agent may use. */
const MIN_ISOLATED_EVENTS = Math.max(70, 420 / KILLS);
const MAX_LIFE_MS = 400;
/** Parts of every detection that must not leave the device, and must not be on it in plain text. */
const CANARIES = ['kanarie7f3d9b', '23456789'];

interface Scene {
  readonly folder: string;
  readonly agents: string;
  readonly env: Record<string, string>;
  readonly credential: string;
}

/** Lets the agents record until they are killed. Returns the ids that they have stored, by agent. */
async function recordUntilKilled(scene: Scene): Promise<string[][]> {
  const child = runAgents('record', scene);
  await waitUntil(() => (child.output().match(/^0 /gm)?.length ?? 0) >= MIN_ISOLATED_EVENTS);
  await sleep(Math.random() * MAX_LIFE_MS);
  await child.kill();
  const promised: string[][] = Array.from({ length: AGENTS }, () => []);
  const { output } = await child.ended;
  // The kill may cut the last line off.
  for (const line of output.split('\n').slice(0, -1)) {
    const [, number, id] = /^(\d) (evt_\S+)$/.exec(line) ?? [];
    if (id === undefined) throw new Error(`an agent failed:\n${output}`);
    promised[Number(number)]?.push(id);
  }
  return promised;
}

function runAgents(mode: 'record' | 'drain', { agents, credential }: Scene) {
  const env = { TPS_CREDENTIAL: credential };
  return spawnProgram({ program: RECORDING_AGENTS, args: [mode, agents, String(AGENTS)], env });
}

async function drain(scene: Scene): Promise<AgentHealth[]> {
  const { code, output } = await runAgents('drain', scene).ended;
  expect(code, output).toBe(0);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AgentHealth);
}

/** Follows the events of one device in the store, and counts the sequence numbers that it declared as missing. */
function followChain(events: readonly Event[]): { declared: number } {
  let declared = 0;
  let last: { sequence: number; hash: string | undefined } = { sequence: 0, hash: undefined };
  for (const event of events) {
    const { sequence = 0, previous_event_hash: named } = event;
    expect(sequence).toBeGreaterThan(last.sequence);
    const skipped = sequence - last.sequence - 1;
    if (skipped === 0) expect(named).toBe(last.hash);
    else expect(named, 'a gap is declared by naming no event before it').toBeUndefined();
    declared += skipped;
    last = {
      sequence,
      hash: createHash('sha256')
        .update(canonicalize(event) ?? '')
        .digest('hex'),
    };
  }
  return { declared };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function startScene(): Promise<{ scene: Scene; service: SpawnedService }> {
  const folder = newFolder();
  // Devices know the service by its address, so it must return there.
  const env = { ...sqliteEnv(join(folder, 'service.db')), SERVICE_BIND: `127.0.0.1:${await findFreePort()}` };
  const service = await spawnService({ env });
  const { baseUrl } = service;
  const { admin: credential, tenantId } = service.credentials();
  const agents = join(folder, 'agents');
  for (let number = 0; number < AGENTS; number += 1) {
    await enrolDevice({
      directory: join(agents, String(number)),
      baseUrl,
      tenantId,
      enrolmentCredential: credential,
      deviceId: `dev_${number}`,
      platform: 'linux',
    });
  }
  return { scene: { folder, agents, credential, env }, service };
}

test(`${KILLS * AGENTS} kills of recording agents, and of the service, lose and repeat no event`, async () => {
  const begun = await startScene();
  const { scene } = begun;
  let { service } = begun;
  const promised: string[][] = Array.from({ length: AGENTS }, () => []);
  let servicesKilled = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const recording = recordUntilKilled(scene);
    if (kill % SERVICE_KILLED_EVERY === 0) {
      await sleep(Math.random() * MAX_LIFE_MS);
      await service.kill();
      servicesKilled += 1;
    }
    for (const [number, ids] of (await recording).entries()) promised[number]?.push(...ids);
    if (kill % SERVICE_KILLED_EVERY === 0) service = await spawnService({ env: scene.env });
  }
  const health = await drain(scene);

  const { credential } = scene;
  const { items: feed } = await readList<Event>(service.baseUrl, '/events', { credential, limit: 500 });
  const times = new Map<string, number>();
  for (const { event_id: id } of feed) times.set(id, (times.get(id) ?? 0) + 1);
  expect([...times].filter(([, count]) => count !== 1)).toEqual([]);

  let dropped = 0;
  for (const [number, ids] of promised.entries()) {
    const sent = feed.filter((event) => event.device_id === `dev_${number}`);
    const { declared } = followChain(sent);
    const missing = ids.filter((id) => !times.has(id));
    const { store } = health[number] as AgentHealth;
    const lost = Object.values(store.dropped).reduce((sum, count) => sum + count, 0);
    // An agent may also have dropped an event that it never stored.
    expect(missing.length, `dev_${number}`).toBeLessThanOrEqual(lost);
    expect(declared, `dev_${number}`).toBe(lost);
    expect(store).toMatchObject({ waiting: 0, refused: 0, damaged: 0, undeclared: 0 });
    if (number !== 0) expect(missing).toEqual([]);
    dropped += lost;
  }
  expect(dropped, 'the ring of the isolated agent overflowed').toBeGreaterThan(0);

  const { items: incidents } = await readList<Incident>(service.baseUrl, '/incidents', {
    credential,
    limit: 100,
  });
  expect(incidents.filter(({ category }) => category === 'device_integrity')).toEqual([]);
  expect((await service.stop()).code).toBe(0);
  for (const file of filesBelow(scene.folder)) {
    const content = readFileSync(file);
    expect(
      CANARIES.filter((word) => content.includes(word)),
      file,
    ).toEqual([]);
  }
  const total = promised.reduce((sum, ids) => sum + ids.length, 0);
  process.stdout.write(
    `${KILLS * AGENTS} agents killed in ${KILLS} processes, ${servicesKilled} services killed: ${total} promised events, ${feed.length} in the feed, ${dropped} dropped and declared\n`,
  );
}, 600_000);
