import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeviceClientError, type DeviceIdentity, enrolDevice } from '@tps/agent';
import { pick, type Random } from './random.ts';

const AT_ONCE = 8;
const PLATFORMS = ['ios', 'android', 'android', 'windows', 'windows', 'macos', 'linux'] as const;
const DEFAULT_WAIT_MS = 5_000;

export interface FleetOptions {
  readonly directory: string;
  readonly baseUrl: string;
  readonly credential: string;
  readonly devices: number;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly onEnrolled: (count: number) => void;
  /** Hears that the service asks to wait. */
  readonly onThrottled: (waitMs: number) => void;
}

export interface FleetDevice {
  readonly number: number;
  readonly directory: string;
  readonly deviceId: string;
}

/** Makes all devices known to the service, a few at a time. Those that a directory knows already stay as they are. */
export async function enrolFleet(options: FleetOptions): Promise<FleetDevice[]> {
  const { devices, random, directory, onEnrolled } = options;
  // Drawn before the first answer comes: their order must not depend on it.
  const platforms = Array.from({ length: devices }, () => pick(random, PLATFORMS));
  const fleet: FleetDevice[] = [];
  const numbers = platforms.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [number, platform] of numbers) {
        const home = join(directory, String(number));
        const { deviceId } = await enrolPatiently(options, { number, directory: home, platform });
        fleet.push({ number, directory: home, deviceId });
        onEnrolled(fleet.length);
      }
    }),
  );
  return fleet.sort((one, other) => one.number - other.number);
}

async function enrolPatiently(
  { baseUrl, credential, signal, onThrottled }: FleetOptions,
  device: { number: number; directory: string; platform: (typeof PLATFORMS)[number] },
): Promise<DeviceIdentity> {
  let waitMs = DEFAULT_WAIT_MS;
  const watchingFetch: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    waitMs = Number(response.headers.get('retry-after')) * 1_000 || DEFAULT_WAIT_MS;
    return response;
  };
  for (;;) {
    signal.throwIfAborted();
    try {
      return await enrolDevice({
        directory: device.directory,
        platform: device.platform,
        name: `Simulated device ${device.number}`,
        agentVersion: 'simulated',
        baseUrl,
        enrolmentCredential: credential,
        fetch: watchingFetch,
      });
    } catch (error) {
      if (!(error instanceof DeviceClientError) || error.status !== 429) throw error;
      onThrottled(waitMs);
      await sleep(waitMs, undefined, { signal });
    }
  }
}
