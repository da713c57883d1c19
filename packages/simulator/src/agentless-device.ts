import { randomBytes } from 'node:crypto';
import {
  createDeviceClient,
  createEventId,
  type DeviceClient,
  type DeviceDetails,
  generateDeviceKey,
  type SoftwareKey,
} from '@tps/agent';
import type { Event } from '@tps/contract';

/** A registered device that builds, signs and sends its own events. It can send what no agent would. */
export interface AgentlessDevice {
  readonly deviceId: string;
  readonly key: SoftwareKey;
  readonly tenantId: string;
  readonly credential: string;
}

/** Registers a device, which sends with its own credential if it enrolled with a secret. Everything about it that is not given is made up: a random id, an Ed25519 key. */
export async function registerDevice(
  target: { readonly baseUrl: string; readonly tenantId: string; readonly credential: string },
  device: Partial<DeviceDetails & { readonly deviceId: string; readonly key: SoftwareKey }> = {},
): Promise<AgentlessDevice> {
  const { baseUrl, tenantId, credential } = target;
  const { deviceId = `dev_${randomBytes(6).toString('hex')}`, platform = 'android', name } = device;
  const key = device.key ?? (await generateDeviceKey('ed25519'));
  const registered = { deviceId, key, tenantId, credential };
  const { body } = await toDeviceClient(registered, { baseUrl }).register({
    platform,
    ...(name === undefined ? {} : { name }),
  });
  return { ...registered, credential: body.credential?.token ?? credential };
}

/** Returns a client that sends as this device. */
export function toDeviceClient(
  { deviceId, tenantId, key, credential }: AgentlessDevice,
  { baseUrl, fetch = globalThis.fetch }: { baseUrl: string; fetch?: typeof globalThis.fetch },
): DeviceClient {
  return createDeviceClient({ baseUrl, credential, deviceId, tenantId, key, fetch });
}

/** Creates an event with a new id. One in ten has high severity, so that incidents are opened and joined. */
export function createEvent(
  { tenantId, deviceId }: Pick<AgentlessDevice, 'tenantId' | 'deviceId'>,
  content: Partial<Event> = {},
): Event {
  return {
    event_id: createEventId(Date.now(), randomBytes),
    type: 'risk.event.created',
    timestamp: new Date().toISOString(),
    tenant_id: tenantId,
    device_id: deviceId,
    threat_category: 'phishing',
    confidence: 0.9,
    action_taken: Math.random() < 0.5 ? 'block' : 'allow',
    policy_id: 'pol_simulated',
    severity: Math.random() < 0.1 ? 'high' : 'medium',
    ...content,
  };
}
