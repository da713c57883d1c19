import type { Device, RegisteredDevice } from '@tps/contract';
import type { SignatureAlgorithm } from '@tps/signatures';
import { ServiceClock } from '../clock/service-clock.ts';
import { OwnCredential } from '../credential/own-credential.ts';
import { DeviceClientError } from '../errors/device-client-error.ts';
import { ServiceUnreachableError } from '../errors/service-unreachable-error.ts';
import { parseBaseUrl } from '../http/base-url.ts';
import { type Credential, createHttpTransport } from '../http/http-transport.ts';
import type { DeviceIdentity } from '../ports/identity.ts';
import { type DeviceKey, type DeviceKeys, KeyError } from '../ports/keys.ts';
import type { AgentStorage } from '../ports/storage.ts';
import type { TransportOutcome } from '../ports/transport.ts';
import { type EnrolledDevice, readDevice, writeDevice } from './device-file.ts';

/** The device and the service of an enrolment. */
export interface Enrolment {
  /** Base URL of the API, including its path prefix if it has one. */
  readonly baseUrl: string;
  /** An enrolment secret, or a token with `devices:write`. Not stored. */
  readonly enrolmentCredential: Credential;
  /** The tenant of the enrolment credential. The device names it in what it signs. */
  readonly tenantId: string;
  /** Default: `dev_` and 32 random hex digits. */
  readonly deviceId?: string;
  readonly platform: Device['platform'];
  readonly name?: string;
  /** Algorithm of the signing key (default Ed25519). */
  readonly algorithm?: SignatureAlgorithm;
  readonly agentVersion?: string;
  /** Replaces the global `fetch`, for example to use a proxy. */
  readonly fetch?: typeof globalThis.fetch;
  /** Time limit of one request, including its answer (default 30 s). */
  readonly timeoutMs?: number;
  /** Register even if the device is enrolled, to get another credential: the last one was lost or revoked. */
  readonly again?: boolean;
  /** Accept http beyond this machine. Set it only if the connection to the service is protected otherwise. */
  readonly allowInsecure?: boolean;
}

/** Where a platform keeps a device. */
export interface DevicePlace {
  /** What a place is called in messages, such as `directory`. */
  readonly kind: string;
  readonly storage: AgentStorage;
  /** @throws KeyError `missing` when there are none */
  readonly openKeys: () => Promise<DeviceKeys>;
  readonly createKeys: (algorithm: SignatureAlgorithm) => Promise<DeviceKeys>;
}

/**
 * Registers a device with the service, and stores its keys and identity in a place. After a crash or without an answer,
 * repeat the call: it continues under the same id and key. With an enrolment secret, the service gives the device its own
 * credential, which is stored encrypted. For a place that is already enrolled it returns the identity without a request,
 * unless the device's own credential has expired.
 *
 * @throws Error when the place belongs to another device, tenant, platform or service
 * @throws ServiceUnreachableError when the service did not answer
 * @throws DeviceClientError when the service refused
 */
export async function enrol(place: DevicePlace, options: Enrolment): Promise<DeviceIdentity> {
  const { storage } = place;
  const baseUrl = parseBaseUrl(options.baseUrl, options).href;
  const found = await readDevice(storage);
  if (found !== undefined) assertSame(found, options, { baseUrl, place });
  const device = found ?? (await begin(storage, options, baseUrl));
  if (device.tenant_id !== null && !(await needsCredential(place, options))) {
    return toIdentity(device, device.tenant_id);
  }
  const keys = await openOrCreateKeys(place, options.algorithm);
  const { tenant_id, credential } = await register(device, await keys.signingKey(), options);
  // Stored first: a device that counts as enrolled has it.
  if (credential !== undefined) await OwnCredential.create({ storage, keys }, credential);
  await writeDevice(storage, { ...device, tenant_id });
  return toIdentity(device, tenant_id);
}

/** Returns the device that a place belongs to. @throws Error unless its enrolment is complete */
export async function enrolledDevice({
  kind,
  storage,
}: Pick<DevicePlace, 'kind' | 'storage'>): Promise<DeviceIdentity & { baseUrl: string }> {
  const device = await readDevice(storage);
  if (device === undefined) throw new Error(`The ${kind} has no enrolled device: enrol one first.`);
  if (device.tenant_id === null) {
    throw new Error(`The enrolment of ${device.device_id} is not complete: repeat it.`);
  }
  return { ...toIdentity(device, device.tenant_id), baseUrl: device.base_url };
}

/** A device whose own credential has expired or is damaged enrols again, under the same id and key. */
async function needsCredential(
  { storage, openKeys }: DevicePlace,
  { again = false }: Enrolment,
): Promise<boolean> {
  if (again) return true;
  if (!(await OwnCredential.exists(storage))) return false;
  const keys = await openKeys();
  return OwnCredential.open({ storage, keys }).then(
    (own) => own?.hasExpired(Date.now()) ?? true,
    (error: unknown) => {
      if (error instanceof KeyError && error.code === 'damaged') return true;
      throw error;
    },
  );
}

/** The id is stored before it is sent, so that a repeated call enrols the same device. */
async function begin(storage: AgentStorage, options: Enrolment, baseUrl: string): Promise<EnrolledDevice> {
  const { deviceId = newDeviceId(), platform } = options;
  const device = { device_id: deviceId, tenant_id: null, platform, base_url: baseUrl };
  await writeDevice(storage, device);
  return device;
}

function newDeviceId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `dev_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Reuses the keys of an interrupted enrolment: the service may already know them. */
function openOrCreateKeys(
  { openKeys, createKeys }: DevicePlace,
  algorithm: SignatureAlgorithm = 'ed25519',
): Promise<DeviceKeys> {
  return openKeys().catch((error: unknown) => {
    if (error instanceof KeyError && error.code === 'missing') return createKeys(algorithm);
    throw error;
  });
}

function assertSame(
  found: EnrolledDevice,
  { deviceId, tenantId, platform }: Enrolment,
  { baseUrl, place: { kind } }: { baseUrl: string; place: DevicePlace },
): void {
  const isSame =
    (found.tenant_id === null || tenantId === found.tenant_id) &&
    (deviceId === undefined || deviceId === found.device_id) &&
    platform === found.platform &&
    baseUrl === found.base_url;
  if (!isSame) {
    throw new Error(
      `The ${kind} belongs to ${found.device_id} (${found.platform}) at ${found.base_url}: use another ${kind}.`,
    );
  }
}

async function register(
  device: EnrolledDevice,
  key: DeviceKey,
  options: Enrolment,
): Promise<RegisteredDevice> {
  const { enrolmentCredential: credential, fetch, timeoutMs, allowInsecure, name, agentVersion } = options;
  const transport = createHttpTransport({
    baseUrl: device.base_url,
    deviceId: device.device_id,
    tenantId: options.tenantId,
    credential,
    ...(fetch === undefined ? {} : { fetch }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(allowInsecure === undefined ? {} : { allowInsecure }),
  });
  const serviceClock = new ServiceClock(Date.now);
  const attempt = () =>
    transport.register(
      {
        key,
        platform: device.platform,
        signedAtMs: serviceClock.nowMs(),
        ...(name === undefined ? {} : { name }),
        ...(agentVersion === undefined ? {} : { agentVersion }),
      },
      new AbortController().signal,
    );
  let outcome: TransportOutcome<RegisteredDevice> = await attempt();
  // The first answer contains the service's time, which dates the second request.
  if (serviceClock.note(outcome) && outcome.kind === 'refused') outcome = await attempt();
  if (outcome.kind === 'answered') return outcome.body;
  if (outcome.kind === 'refused') throw new DeviceClientError(outcome.message, outcome);
  throw new ServiceUnreachableError(`The device is not yet enrolled. ${outcome.message}`);
}

function toIdentity({ device_id, platform }: EnrolledDevice, tenantId: string): DeviceIdentity {
  return { deviceId: device_id, tenantId, platform };
}
