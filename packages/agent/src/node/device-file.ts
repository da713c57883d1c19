import type { Device } from '@tps/contract';
import { PLATFORMS } from '@tps/contract/vocabulary';
import { type AgentStorage, StorageError } from '../ports/storage.ts';

const FILE = 'device.json';
const LIMIT_BYTES = 16 * 1024;
const MAX_TEXT_LENGTH = 2048;

/** What a directory says of the device that it belongs to. */
export interface EnrolledDevice {
  readonly device_id: string;
  /** Null until the service has answered the enrolment. */
  readonly tenant_id: string | null;
  readonly platform: Device['platform'];
  readonly base_url: string;
}

/** Finds out whom a directory belongs to. @throws Error when it says something that nobody wrote like that */
export async function findDevice(storage: AgentStorage): Promise<EnrolledDevice | undefined> {
  const bytes = await storage.read(FILE, LIMIT_BYTES).catch((error: unknown) => {
    if (error instanceof StorageError && error.code === 'missing') return undefined;
    throw error;
  });
  if (bytes === undefined) return undefined;
  const device = parse(bytes);
  if (device === undefined)
    throw new Error(`${FILE} is damaged: the device has to be enrolled anew elsewhere.`);
  return device;
}

/** @throws TypeError when it could not be read again: then the directory would belong to nobody */
export async function keepDevice(storage: AgentStorage, device: EnrolledDevice): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(device, undefined, 2)}\n`);
  if (parse(bytes) === undefined) {
    throw new TypeError(
      'deviceId must be dev_ and 1 to 64 letters, digits, _ or -; platform one of the API.',
    );
  }
  await storage.replace(FILE, bytes);
}

function parse(bytes: Uint8Array): EnrolledDevice | undefined {
  try {
    const { device_id, tenant_id, platform, base_url } = JSON.parse(
      Buffer.from(bytes).toString(),
    ) as EnrolledDevice;
    const isRight =
      isMatch(/^dev_[A-Za-z0-9_-]{1,64}$/, device_id) &&
      (tenant_id === null || isMatch(/^tnt_[A-Za-z0-9_-]{1,64}$/, tenant_id)) &&
      PLATFORMS.includes(platform) &&
      typeof base_url === 'string' &&
      base_url.length <= MAX_TEXT_LENGTH;
    return isRight ? { device_id, tenant_id, platform, base_url } : undefined;
  } catch {
    return undefined;
  }
}

/** `test` alone would take a list of one text for that text. */
function isMatch(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}
