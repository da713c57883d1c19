import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetDevice } from './fleet.ts';
import type { Step } from './sample.ts';

/** Has the devices do their steps at a steady pace, side by side, each one thing after the other. */
export async function sendSteps(
  steps: readonly Step[],
  { fleet, intervalMs, signal }: { fleet: readonly FleetDevice[]; intervalMs: number; signal: AbortSignal },
): Promise<void> {
  const devices = new Map(fleet.map((device) => [device.device_id, device]));
  const underWay = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const startedAt = performance.now();

  for (const [index, step] of steps.entries()) {
    const waitMs = startedAt + index * intervalMs - performance.now();
    if (waitMs > 1) await sleep(waitMs, undefined, { signal });
    await underWay.get(step.deviceId);
    signal.throwIfAborted();
    if (failures.length > 0) break;
    const device = devices.get(step.deviceId);
    if (!device) throw new Error(`The sample names ${step.deviceId}, which is not among its devices.`);
    const work = device.perform(step).catch((error: unknown) => void failures.push(error));
    underWay.set(step.deviceId, work);
  }
  await Promise.all(underWay.values());
  if (failures.length > 0) throw failures[0];
}
