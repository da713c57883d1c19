import { setTimeout as sleep } from 'node:timers/promises';
import { deliver, type FleetDevice, type Outcome } from './fleet.ts';
import type { Step } from './sample.ts';

/**
 * Sends the steps at a steady pace. Devices send side by side; one device sends one request after the other, so that a
 * correction never overtakes what it corrects.
 */
export async function sendSteps(
  steps: readonly Step[],
  parts: {
    fleet: readonly FleetDevice[];
    intervalMs: number;
    signal: AbortSignal;
    onOutcome: (outcome: Outcome) => void;
  },
): Promise<void> {
  const { fleet, intervalMs, signal, onOutcome } = parts;
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
    const work = deliver(step, device).then(
      (outcomes) => outcomes.forEach(onOutcome),
      (error: unknown) => void failures.push(error),
    );
    underWay.set(step.deviceId, work);
  }
  await Promise.all(underWay.values());
  if (failures.length > 0) throw failures[0];
}
