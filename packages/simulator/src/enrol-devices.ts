import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeviceClientError,
  type DeviceDetails,
  type DeviceIdentity,
  type DeviceKey,
  enrolDevice,
  hasOwnCredential,
} from '@tps/agent';

const CONCURRENT_ENROLMENTS = 8;
const DEFAULT_WAIT_MS = 5_000;

/** A device that is to be enrolled. */
export interface DeviceSpec {
  readonly name: string;
  readonly platform: DeviceDetails['platform'];
  /** Default: a random id. */
  readonly deviceId?: string;
  readonly algorithm?: DeviceKey['algorithm'];
}

/** An enrolled device: the agent opens its directory. */
export interface EnrolledDevice {
  readonly number: number;
  readonly directory: string;
  readonly deviceId: string;
}

export interface EnrolDevicesOptions {
  readonly specs: readonly DeviceSpec[];
  /** Each device gets a subdirectory, named by its number. */
  readonly directory: string;
  readonly baseUrl: string;
  readonly tenantId: string;
  /** An enrolment secret with a use for each new device. */
  readonly enrolmentSecret: string;
  readonly agentVersion: string;
  readonly signal: AbortSignal;
  readonly onEnrolled?: (count: number) => void;
  /** Called when the service answers 429. Enrolment continues after `waitMs`. */
  readonly onThrottled?: (waitMs: number) => void;
}

/**
 * Enrols devices, several at a time, and returns them in the order of their specs. A device that is already enrolled in
 * its directory stays as it is.
 */
export async function enrolDevices(options: EnrolDevicesOptions): Promise<EnrolledDevice[]> {
  const enrolled: EnrolledDevice[] = [];
  const specs = options.specs.entries();
  await Promise.all(
    Array.from({ length: CONCURRENT_ENROLMENTS }, async () => {
      for (const [number, spec] of specs) {
        const directory = join(options.directory, String(number));
        const { deviceId } = await enrolPatiently(options, { ...spec, directory });
        enrolled.push({ number, directory, deviceId });
        options.onEnrolled?.(enrolled.length);
      }
    }),
  );
  return enrolled.sort((one, other) => one.number - other.number);
}

/** Waits and tries again for as long as the service answers 429. */
async function enrolPatiently(
  { baseUrl, tenantId, enrolmentSecret, agentVersion, signal, onThrottled }: EnrolDevicesOptions,
  device: DeviceSpec & { readonly directory: string },
): Promise<DeviceIdentity> {
  let waitMs = DEFAULT_WAIT_MS;
  const fetchNotingWait: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    waitMs = Number(response.headers.get('retry-after')) * 1_000 || DEFAULT_WAIT_MS;
    return response;
  };
  for (;;) {
    signal.throwIfAborted();
    try {
      return await enrolDevice({
        ...device,
        agentVersion,
        baseUrl,
        tenantId,
        enrolmentCredential: enrolmentSecret,
        // A device of a former version sent with a token of the tenant.
        again: !(await hasOwnCredential(device.directory)),
        fetch: fetchNotingWait,
      });
    } catch (error) {
      if (!(error instanceof DeviceClientError) || error.status !== 429) throw error;
      onThrottled?.(waitMs);
      await sleep(waitMs, undefined, { signal });
    }
  }
}
