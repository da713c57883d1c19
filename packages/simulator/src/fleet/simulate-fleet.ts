import type { Client } from '@tps/client';
import { checkFeed } from '../check-feed.ts';
import { type DeviceSpec, type EnrolledDevice, enrolDevices } from '../enrol-devices.ts';
import { createRandom, pick } from '../random.ts';
import { type SimulationReport, toReport } from './report.ts';
import { type FleetLoad, runWorkers } from './run-workers.ts';
import { createTally, type Tally } from './tally.ts';

export interface SimulationOptions {
  readonly devices: number;
  readonly load: FleetLoad;
  /** Where the devices keep their keys and logs. Devices from a former run are used again. */
  readonly directory: string;
  readonly baseUrl: string;
  /** Creates the enrolment secret of the devices, and reads back from the service. */
  readonly client: Client;
  readonly tenantId: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the recording early. Events recorded until then are still delivered and checked. */
  readonly signal: AbortSignal;
  readonly onEnrolled: (count: number) => void;
  /** Called when the service answers an enrolment with 429. Enrolment continues after `waitMs`. */
  readonly onThrottled: (waitMs: number) => void;
  /** Called every second while devices record and deliver. */
  readonly onProgress: (progress: SimulationProgress) => void;
}

interface SimulationProgress {
  readonly seconds: number;
  readonly recorded: number;
  readonly waiting: number;
  readonly throttled: number;
  readonly offline: number;
  /** The devices have stopped recording and deliver what they hold. */
  readonly isDraining: boolean;
}

/** Long enough for the slowest enrolment under the rate limit. */
const ENROLMENT_MS = 86_400_000;
const PROGRESS_EVERY_MS = 1_000;
/** The most common platforms are listed twice. */
const PLATFORMS = ['ios', 'android', 'android', 'windows', 'windows', 'macos', 'linux'] as const;

/**
 * Enrols a fleet of real agents and lets them record under faults. Waits until everything is delivered, and looks for
 * each recorded event in the feed.
 */
export async function simulateFleet(options: SimulationOptions): Promise<SimulationReport> {
  const { client, load, env, signal } = options;
  const tally = createTally();
  const enrolmentSecret = await createSecret(options);
  const fleet = await enrolDevices({
    ...options,
    enrolmentSecret,
    specs: drawSpecs(options),
    agentVersion: 'simulated',
  });
  const since = await findStart(options, fleet);
  const stopReporting = reportProgress(options, tally);
  const { kills, seconds } = await runWorkers({ fleet, load, env, signal, tally }).finally(stopReporting);
  const check = await checkFeed(client.events.list({ received_since: since }), tally.recorded);
  return toReport(tally, { check, devices: fleet.length, kills, seconds });
}

async function createSecret({ client, devices, tenantId }: SimulationOptions): Promise<string> {
  const { secret } = await client.enrolments.create({
    name: 'Simulated devices',
    max_uses: devices,
    expires_at: new Date(Date.now() + ENROLMENT_MS).toISOString(),
    tenant_id: tenantId,
  });
  if (secret === undefined) throw new Error('The enrolment secret was lost: run the simulation again.');
  return secret;
}

/** All are drawn before the first enrolment, so that they do not depend on the order of the answers. */
function drawSpecs({ devices, load }: SimulationOptions): DeviceSpec[] {
  const random = createRandom(load.seed);
  return Array.from({ length: devices }, (_, number) => ({
    name: `Simulated device ${number}`,
    platform: pick(random, PLATFORMS),
  }));
}

/** Returns when the first device was registered, by the service's clock: no event of this run arrived before that. */
async function findStart(
  { client, tenantId }: SimulationOptions,
  [first]: readonly EnrolledDevice[],
): Promise<string> {
  if (!first) throw new Error('the simulation has no devices');
  const device = await client.devices.get(first.deviceId, { tenant_id: tenantId });
  return device.registered_at;
}

function reportProgress({ load, onProgress }: SimulationOptions, tally: Tally): () => void {
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const { waiting, throttled, offline } = tally.traffic();
    const elapsedMs = performance.now() - startedAt;
    const isDraining = elapsedMs > load.durationMs;
    const seconds = Math.floor(elapsedMs / 1000);
    onProgress({ seconds, recorded: tally.recorded.size, waiting, throttled, offline, isDraining });
  }, PROGRESS_EVERY_MS);
  return () => clearInterval(timer);
}
