/**
 * A process that runs the agents of several devices. The simulation may kill it at any time, so it writes each message
 * immediately: what a killed process held in its buffers would be missing from the tally.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, type AgentNotice, openNodeAgent } from '@tps/agent';
import { createDeviceNetwork, isOfflineAt } from '../device-network.ts';
import { drawDetection } from '../draw-detection.ts';
import { createRandom } from '../random.ts';
import type { DeviceResult, WorkerMessage, WorkerPlan } from './worker-protocol.ts';

const TICK_MS = 20;
const TRAFFIC_EVERY_MS = 500;
/** When more records than this wait for the disk, the disk is too slow for the rate, and recording slows down. */
const MAX_CONCURRENT_RECORDS = 64;
const PAUSE_MS = 200;
/** Notices that are shown: in a simulation they are not expected. */
const PROBLEMS: ReadonlySet<AgentNotice['kind']> = new Set([
  'event_refused',
  'upload_refused',
  'upload_stopped',
  'damaged',
]);

interface SimulatedDevice {
  readonly number: number;
  readonly agent: Agent;
}

const plan = JSON.parse(process.argv[2] ?? '') as WorkerPlan;
const random = createRandom(plan.seed ^ process.pid);
const counts = { sent: 0, retried: 0, throttled: 0, offline: 0 };
let isDraining = false;

// Input or the end of the input stops the recording; then everything is delivered.
process.stdin.once('data', stopRecording).once('end', stopRecording);
// Ctrl-C in a terminal reaches this process too. It stops the recording; recorded events are still delivered.
process.on('SIGINT', stopRecording);
const devices = await Promise.all(plan.devices.map(openDevice));
send(['ready', devices.map(({ number, agent }) => [number, countDeclared(agent)] as const)]);
const reporting = setInterval(sendTraffic, TRAFFIC_EVERY_MS);
await recordUntilStopped();
const results: DeviceResult[] = [];
const giveUpAt = performance.now() + plan.drainMs;
for (const device of devices) results.push(await drain(device, giveUpAt));
clearInterval(reporting);
sendTraffic();
send(['done', results]);
process.stdin.destroy();

function stopRecording(): void {
  isDraining = true;
}

function send(message: WorkerMessage): void {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

function sendTraffic(): void {
  const waiting = devices.reduce((sum, { agent }) => sum + agent.health().store.waiting, 0);
  send(['traffic', { ...counts, waiting }]);
}

async function openDevice({ number, directory }: WorkerPlan['devices'][number]): Promise<SimulatedDevice> {
  const { offlineShare, seed, clockSkewMs } = plan;
  const skewMs = Math.round((createRandom(seed + number)() * 2 - 1) * clockSkewMs);
  const isOffline = () => !isDraining && isOfflineAt(Date.now(), { number, offlineShare, seed });
  const agent = await openNodeAgent({
    directory,
    agentVersion: 'simulated',
    statusEveryHours: 0,
    fetch: createDeviceNetwork({ isOffline, counts }),
    clock: {
      nowMs: () => Date.now() + skewMs,
      sleep: (ms, signal) => sleep(ms, undefined, { signal, ref: false }),
    },
    onNotice: ({ kind, message }) => {
      if (PROBLEMS.has(kind)) send(['problem', message]);
    },
  });
  return { number, agent };
}

async function recordUntilStopped(): Promise<void> {
  const pending = new Set<Promise<void>>();
  const startedAt = performance.now();
  let begun = 0;
  while (!isDraining) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * plan.ratePerSecond);
    for (; begun < due && pending.size < MAX_CONCURRENT_RECORDS; begun += 1) {
      const device = devices[Math.floor(random() * devices.length)];
      if (!device) return;
      const recorded = recordOne(device).finally(() => pending.delete(recorded));
      pending.add(recorded);
    }
    await sleep(TICK_MS);
  }
  await Promise.all(pending);
}

async function recordOne({ number, agent }: SimulatedDevice): Promise<void> {
  const startedAt = performance.now();
  const { eventId, kept } = await agent.record(drawDetection(random));
  const ms = Math.round((performance.now() - startedAt) * 1000) / 1000;
  if (kept === 'disk') send(['recorded', number, eventId, ms]);
}

/** Delivers everything that waits on a device, and declares what it has dropped. */
async function drain({ number, agent }: SimulatedDevice, giveUpAt: number): Promise<DeviceResult> {
  agent.resume();
  for (;;) {
    const isEmpty = await agent.flush();
    const { undeclared } = agent.health().store;
    if (isEmpty && undeclared === 0) break;
    if (performance.now() > giveUpAt) break;
    if (isEmpty) await agent.recordStatus();
    else await sleep(PAUSE_MS);
  }
  const { waiting, refused } = agent.health().store;
  const declared = countDeclared(agent);
  await agent.close();
  return { number, waiting, refused, declared };
}

/** Returns how many dropped events the device has declared to the service, since it was enrolled. */
function countDeclared(agent: Agent): number {
  const { dropped, undeclared } = agent.health().store;
  return Object.values(dropped).reduce((sum, count) => sum + count, 0) - undeclared;
}
