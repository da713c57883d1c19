import { randomBytes } from 'node:crypto';
import type { Device } from '@tps/contract';
import type { SignatureAlgorithm } from '@tps/signatures';
import type { DeviceIdentity } from '../agent.ts';
import { ServiceClock } from '../clock/service-clock.ts';
import { DeviceClientError } from '../errors/device-client-error.ts';
import { ServiceUnreachableError } from '../errors/service-unreachable-error.ts';
import { type DeviceKeys, KeyError } from '../ports/keys.ts';
import type { AgentStorage } from '../ports/storage.ts';
import type { Outcome } from '../ports/transport.ts';
import { type EnrolledDevice, findDevice, keepDevice } from './device-file.ts';
import { placesIn } from './device-paths.ts';
import { parseBaseUrl } from './http/base-url.ts';
import { type Credential, createHttpTransport } from './http/http-transport.ts';
import { createDeviceKeys, openDeviceKeys } from './keys/file-device-keys.ts';
import type { DeviceKey } from './keys/software-key.ts';
import { openFileStorage } from './storage/file-storage.ts';

export interface EnrolOptions {
  /** Belongs to this device from now on. Made if there is none. */
  readonly directory: string;
  /** Where the API is, with the path prefix if it has one. */
  readonly baseUrl: string;
  /** Needs `devices:write` and nothing else. Not kept. */
  readonly enrolmentCredential: Credential;
  /** Made up unless told otherwise. */
  readonly deviceId?: string;
  readonly platform: Device['platform'];
  readonly name?: string;
  /** Of the signing key. Ed25519 unless told otherwise. */
  readonly algorithm?: SignatureAlgorithm;
  readonly agentVersion?: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly timeoutMs?: number;
  /** Take http beyond this machine: only where the way to the service is protected otherwise. */
  readonly allowInsecure?: boolean;
}

/**
 * Makes a device known to the service and a directory its home: keys, and who it is. After a crash or without an answer
 * the same call goes on where it was, under the same id and key. A directory that is enrolled answers who it is,
 * without a request.
 *
 * @throws Error when the directory belongs to another device, platform or service
 * @throws ServiceUnreachableError when no answer came
 * @throws DeviceClientError when the service refused
 */
export async function enrolDevice(options: EnrolOptions): Promise<DeviceIdentity> {
  const baseUrl = parseBaseUrl(options.baseUrl, options).href;
  const places = placesIn(options.directory);
  const storage = await openFileStorage({ directory: places.store });
  try {
    const found = await findDevice(storage);
    if (found !== undefined) assertSame(found, options, baseUrl);
    const device = found ?? (await begin(storage, options, baseUrl));
    if (device.tenant_id !== null) return identityOf(device, device.tenant_id);
    const keys = await keysAt(places.keys, options.algorithm);
    const { tenant_id } = await register(device, await keys.signingKey(), options);
    await keepDevice(storage, { ...device, tenant_id });
    return identityOf(device, tenant_id);
  } finally {
    await storage.close();
  }
}

/** Says who the directory's device is. @throws Error unless it is enrolled */
export async function enrolledDevice(storage: AgentStorage): Promise<DeviceIdentity & { baseUrl: string }> {
  const device = await findDevice(storage);
  if (device === undefined) throw new Error('The directory belongs to no device: enrol one first.');
  if (device.tenant_id === null) {
    throw new Error(`The enrolment of ${device.device_id} has not been finished: repeat it.`);
  }
  return { ...identityOf(device, device.tenant_id), baseUrl: device.base_url };
}

/** The id is kept before the service hears of it, so that a repeat means the same device. */
async function begin(storage: AgentStorage, options: EnrolOptions, baseUrl: string): Promise<EnrolledDevice> {
  const { deviceId = `dev_${randomBytes(16).toString('hex')}`, platform } = options;
  const device = { device_id: deviceId, tenant_id: null, platform, base_url: baseUrl };
  await keepDevice(storage, device);
  return device;
}

/** Of an enrolment that was broken off there may be keys already. The service may know them: they are not made anew. */
function keysAt(path: string, algorithm: SignatureAlgorithm = 'ed25519'): Promise<DeviceKeys> {
  return openDeviceKeys({ path }).catch((error: unknown) => {
    if (error instanceof KeyError && error.code === 'missing') return createDeviceKeys({ path, algorithm });
    throw error;
  });
}

function assertSame(found: EnrolledDevice, { deviceId, platform }: EnrolOptions, baseUrl: string): void {
  const isSame =
    (deviceId === undefined || deviceId === found.device_id) &&
    platform === found.platform &&
    baseUrl === found.base_url;
  if (!isSame) {
    throw new Error(
      `The directory belongs to ${found.device_id} (${found.platform}) at ${found.base_url}: take another one.`,
    );
  }
}

async function register(device: EnrolledDevice, key: DeviceKey, options: EnrolOptions): Promise<Device> {
  const { enrolmentCredential: credential, fetch, timeoutMs, allowInsecure, name, agentVersion } = options;
  const transport = createHttpTransport({
    baseUrl: device.base_url,
    deviceId: device.device_id,
    credential,
    ...(fetch === undefined ? {} : { fetch }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(allowInsecure === undefined ? {} : { allowInsecure }),
  });
  const attempt = () =>
    transport.register(
      {
        key,
        platform: device.platform,
        ...(name === undefined ? {} : { name }),
        ...(agentVersion === undefined ? {} : { agentVersion }),
      },
      new AbortController().signal,
    );
  const serviceClock = new ServiceClock(Date.now);
  let outcome: Outcome<Device> = await attempt();
  // The first answer tells the service's time; the second request is dated by it.
  if (serviceClock.note(outcome) && outcome.kind === 'refused') outcome = await attempt();
  if (outcome.kind === 'answered') return outcome.body;
  if (outcome.kind === 'refused') throw new DeviceClientError(outcome.message, outcome);
  throw new ServiceUnreachableError(`The device is not enrolled yet. ${outcome.message}`);
}

function identityOf({ device_id, platform }: EnrolledDevice, tenantId: string): DeviceIdentity {
  return { deviceId: device_id, tenantId, platform };
}
