/**
 * A process with the agents of several devices in it, which the simulation may kill at any moment. What it says goes out
 * at once: what a killed process still held in its buffers would be missing from the account.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, openNodeAgent } from '@tps/agent';
import { deviceNetwork } from './device-network.ts';
import { drawDetection } from './draw-detection.ts';
import { createRandom } from './random.ts';
import type { DeviceResult, WorkerMessage, WorkerPlan } from './worker-protocol.ts';

const TICK_MS = 20;
const TRAFFIC_EVERY_MS = 500;
/** More wait for their disk than this, and the disk is too slow for the rate: recording then slows down. */
const MAX_UNDER_WAY = 64;
const PAUSE_MS = 200;

interface SimulatedDevice {
  readonly number: number;
  readonly agent: Agent;
}

const plan = JSON.parse(process.argv[2] ?? '') as WorkerPlan;
const random = createRandom(plan.seed ^ process.pid);
const counts = { sent: 0, retried: 0, throttled: 0, offline: 0 };
let isDraining = false;

// The end of the standard input, or a line in it, asks to record no more and to bring everything to the service.
process.stdin.once('data', stopRecording).once('end', stopRecording);
// Ctrl-C at a terminal reaches us, too: it ends the recording, and what was recorded is still to be delivered.
process.on('SIGINT', stopRecording);
const devices = await Promise.all(plan.devices.map(openDevice));
say(['ready', devices.map(({ number, agent }) => [number, declaredBy(agent)] as const)]);
const reporting = setInterval(
  () => say(['traffic', { ...counts, waiting: waitingOf(devices) }]),
  TRAFFIC_EVERY_MS,
);
await recordUntilStopped();
const results: DeviceResult[] = [];
const giveUpAt = performance.now() + plan.drainMs;
for (const device of devices) results.push(await drain(device, giveUpAt));
clearInterval(reporting);
say(['traffic', { ...counts, waiting: waitingOf(devices) }]);
say(['done', results]);
process.stdin.destroy();

function stopRecording(): void {
  isDraining = true;
}

function say(message: WorkerMessage): void {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

function waitingOf(all: readonly SimulatedDevice[]): number {
  return all.reduce((sum, { agent }) => sum + agent.health().store.waiting, 0);
}

async function openDevice({ number, directory }: WorkerPlan['devices'][number]): Promise<SimulatedDevice> {
  const { offlineShare, seed, clockSkewMs } = plan;
  const skewMs = Math.round((createRandom(seed + number)() * 2 - 1) * clockSkewMs);
  const agent = await openNodeAgent({
    directory,
    credential: process.env.TPS_CREDENTIAL ?? '',
    agentVersion: 'simulated',
    statusEveryHours: 0,
    fetch: deviceNetwork({ number, offlineShare, seed, counts, isDraining: () => isDraining }),
    clock: {
      nowMs: () => Date.now() + skewMs,
      sleep: (ms, signal) => sleep(ms, undefined, { signal, ref: false }),
    },
    onNotice: ({ kind, message }) => {
      if (kind === 'event_refused' || kind === 'upload_stopped' || kind === 'damaged')
        say(['trouble', message]);
    },
  });
  return { number, agent };
}

async function recordUntilStopped(): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let begun = 0;
  while (!isDraining) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * plan.ratePerSecond);
    for (; begun < due && underWay.size < MAX_UNDER_WAY; begun += 1) {
      const device = devices[Math.floor(random() * devices.length)];
      if (!device) return;
      const recorded = recordOne(device).finally(() => underWay.delete(recorded));
      underWay.add(recorded);
    }
    await sleep(TICK_MS);
  }
  await Promise.all(underWay);
}

async function recordOne({ number, agent }: SimulatedDevice): Promise<void> {
  const startedAt = performance.now();
  const { eventId, kept } = await agent.record(drawDetection(random));
  const ms = Math.round((performance.now() - startedAt) * 1000) / 1000;
  if (kept === 'disk') say(['recorded', number, eventId, ms]);
}

/** Brings everything of a device to the service, declares what it dropped, and tells how it stands. */
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
  const declared = declaredBy(agent);
  await agent.close();
  return { number, waiting, refused, declared };
}

/** How many events were ever dropped for want of room, as far as the service was told. */
function declaredBy(agent: Agent): number {
  const { dropped, undeclared } = agent.health().store;
  return Object.values(dropped).reduce((sum, count) => sum + count, 0) - undeclared;
}
