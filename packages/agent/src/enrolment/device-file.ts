import type { Device } from '@tps/contract';
import { PLATFORMS } from '@tps/contract/vocabulary';
import { decodeText, encodeText } from '../encoding/bytes.ts';
import { type AgentStorage, StorageError } from '../ports/storage.ts';

const FILE = 'device.json';
const LIMIT_BYTES = 16 * 1024;
const MAX_TEXT_LENGTH = 2048;

/** The device that a directory belongs to, as stored in it. */
export interface EnrolledDevice {
  readonly device_id: string;
  /** Null until the service has confirmed the enrolment. */
  readonly tenant_id: string | null;
  readonly platform: Device['platform'];
  readonly base_url: string;
}

/** Reads which device a directory belongs to. @throws Error when the file is damaged */
export async function readDevice(storage: AgentStorage): Promise<EnrolledDevice | undefined> {
  const bytes = await storage.read(FILE, LIMIT_BYTES).catch((error: unknown) => {
    if (error instanceof StorageError && error.code === 'missing') return undefined;
    throw error;
  });
  if (bytes === undefined) return undefined;
  const device = parse(bytes);
  if (device === undefined) {
    throw new Error(`${FILE} is damaged: enrol the device again in another place.`);
  }
  return device;
}

/** Writes which device a directory belongs to. @throws TypeError when the id or the platform is invalid */
export async function writeDevice(storage: AgentStorage, device: EnrolledDevice): Promise<void> {
  const bytes = encodeText(`${JSON.stringify(device, undefined, 2)}\n`);
  if (parse(bytes) === undefined) {
    throw new TypeError(
      `deviceId must be dev_ and 1 to 64 letters, digits, _ or -; platform must be one of ${PLATFORMS.join(', ')}.`,
    );
  }
  await storage.replace(FILE, bytes);
}

function parse(bytes: Uint8Array): EnrolledDevice | undefined {
  try {
    const { device_id, tenant_id, platform, base_url } = JSON.parse(decodeText(bytes)) as EnrolledDevice;
    const isValid =
      isMatch(/^dev_[A-Za-z0-9_-]{1,64}$/, device_id) &&
      (tenant_id === null || isMatch(/^tnt_[A-Za-z0-9_-]{1,64}$/, tenant_id)) &&
      PLATFORMS.includes(platform) &&
      typeof base_url === 'string' &&
      base_url.length <= MAX_TEXT_LENGTH;
    return isValid ? { device_id, tenant_id, platform, base_url } : undefined;
  } catch {
    return undefined;
  }
}

/** `test` alone would convert an array of one string to that string. */
function isMatch(pattern: RegExp, value: unknown): boolean {
  return typeof value === 'string' && pattern.test(value);
}
