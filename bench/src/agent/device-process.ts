import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Agent, type Detection, enrolDevice, openNodeAgent } from '@tps/agent';
import { serveCalls } from '../process-calls.ts';
import { type TimedWindow, timeEach } from '../time-each.ts';
import type { Durability } from './agent-rows.ts';

/** Large enough that no event is dropped. */
const BUDGET_BYTES = 1 << 30;
const CONCURRENT_RECORDS = 64;
const MIB = 1024 ** 2;
const SEVERITIES = ['low', 'low', 'medium', 'high'] as const;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Device {
  readonly directory: string;
  readonly credential: string;
  readonly tenantId: string;
  readonly baseUrl: string;
}

const offline = () => Promise.reject(new TypeError('no network'));

function openDevice(
  { directory, credential }: Device,
  { fsync = 'always', fetch = offline }: { fsync?: Durability; fetch?: typeof globalThis.fetch } = {},
): Promise<Agent> {
  const settings = { autonomous: false, statusEveryHours: 0, budgetBytes: BUDGET_BYTES };
  return openNodeAgent({ directory, credential, fsync, fetch, ...settings });
}

async function enrol({ directory, credential, tenantId, baseUrl }: Device): Promise<void> {
  await enrolDevice({
    directory,
    baseUrl,
    tenantId,
    enrolmentCredential: credential,
    platform: 'linux',
    name: 'bench',
  });
}

/** Records for one timed window, with this many concurrent decisions. */
async function record(input: Device & { fsync: Durability; recorders: number; window: TimedWindow }) {
  const { fsync, recorders, window } = input;
  const agent = await openDevice(input, { fsync });
  const bytesBefore = agent.health().store.usedBytes;
  let count = 0;
  const recordNext = () => {
    count += 1;
    return agent.record(sampleDetection(count));
  };
  const { perSecond, ...times } = await timeEach(window, recordNext, { concurrency: recorders });
  const bytesEach = (agent.health().store.usedBytes - bytesBefore) / count;
  await agent.close();
  return { eventsPerSecond: perSecond, ...times, bytesEach };
}

/** Records events that are not uploaded, and measures the memory that they take. */
async function fill(input: Device & { events: number }) {
  const agent = await openDevice(input, { fsync: 'never' });
  const before = memory();
  const startedAt = performance.now();
  let next = 0;
  const one = async () => {
    while (next < input.events) {
      next += 1;
      await agent.record(sampleDetection(next));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_RECORDS }, one));
  const seconds = (performance.now() - startedAt) / 1000;
  const after = memory();
  const { waiting } = agent.health().store;
  if (waiting !== input.events) throw new Error(`${waiting} of ${input.events} events are buffered`);
  await agent.close();
  return {
    eventsPerSecond: input.events / seconds,
    heapGrowthMiB: after.heap - before.heap,
    residentGrowthMiB: after.resident - before.resident,
  };
}

/** Opens the log that another process has filled, as after a restart of the device. */
async function open(input: Device & { events: number }) {
  const before = memory();
  const startedAt = performance.now();
  const agent = await openDevice(input);
  const readyMs = performance.now() - startedAt;
  const { waiting } = agent.health().store;
  if (waiting !== input.events) throw new Error(`${waiting} of ${input.events} events are buffered`);
  const after = memory();
  await agent.close();
  return {
    readyMs,
    heapGrowthMiB: after.heap - before.heap,
    residentGrowthMiB: after.resident - before.resident,
  };
}

/** Uploads everything that waits, and returns the length of each body. */
async function upload(input: Device & { events: number }) {
  const bodies: number[] = [];
  const agent = await openDevice(input, {
    fetch: (url, init) => {
      if (init?.body) bodies.push(Buffer.byteLength(init.body as Uint8Array));
      return fetch(url, init);
    },
  });
  const startedAt = performance.now();
  if (!(await agent.flush())) throw new Error('some events could not be uploaded');
  const seconds = (performance.now() - startedAt) / 1000;
  const { archived } = agent.health().store;
  if (archived !== input.events) throw new Error(`${archived} of ${input.events} events were archived`);
  await agent.close();
  return { eventsPerSecond: input.events / seconds, bodies };
}

/** Returns a detection of a message filter, different for each number: about 1 KB as an event. */
function sampleDetection(number: number): Detection {
  return {
    threatCategory: 'phishing',
    confidence: 0.5 + (number % 50) / 100,
    severity: SEVERITIES[number % SEVERITIES.length] ?? 'low',
    description: `Message ${number} from +49 151 2345678 asks maria.fernandez@example.com to confirm a parcel fee of 2.99 EUR. The link leads to a page registered three days ago; it copies a well known courier service and asks for the card number and the PIN. Score 0.97.`,
    indicators: [`https://parcel-${number}.example/confirm?id=${number}`, '198.51.100.23'],
    modelVersion: 'bench-1',
  };
}

function memory(): { heap: number; resident: number } {
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed / MIB, resident: rss / MIB };
}

const calls = { enrol, record, fill, open, upload };
export type DeviceCalls = typeof calls;

serveCalls(calls);
