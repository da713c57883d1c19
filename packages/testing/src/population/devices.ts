import { hash } from 'node:crypto';
import { generateDeviceKey, type SoftwareKey } from '@tps/agent';
import type { Device, Event } from '@tps/contract';
import { redactEvent } from '@tps/detection';
import { type SignatureTag, signRequest } from '@tps/signatures';
import canonicalize from 'canonicalize';
import { HOSTILE_TEXTS } from './texts.ts';

/** A device of the population: what it is, and how often something happens on it. */
export interface DeviceSpec {
  readonly deviceId: string;
  readonly name: string;
  readonly platform: Device['platform'];
  readonly agentVersion: string;
  /** Share of the events; 0 for a device that never reported. */
  readonly weight: number;
  /** Days before the present at which it fell silent. */
  readonly silentForDays?: number;
}

export const DEVICES: readonly DeviceSpec[] = [
  spec('dev_reception-phone', 'Reception phone', 'android', 9),
  spec('dev_ceo-iphone', "Managing director's phone", 'ios', 7),
  spec('dev_accounting-1', 'Accounting 1', 'windows', 8),
  spec('dev_accounting-2', 'Accounting 2', 'windows', 6),
  spec('dev_sales-berlin', 'Sales, Berlin', 'android', 6),
  spec('dev_sales-lyon', 'Sales, Lyon', 'android', 5),
  spec('dev_support-madrid', 'Support, Madrid', 'android', 5),
  spec('dev_logistics-warszawa', 'Logistics, Warsaw', 'android', 4),
  spec('dev_design-mac', 'Design studio', 'macos', 3),
  spec('dev_build-server', 'Build server', 'linux', 2, { agentVersion: '2.3.0' }),
  spec('dev_warehouse-tablet', 'Warehouse tablet', 'android', 4, { agentVersion: '2.2.7' }),
  spec('dev_hr-laptop', 'Human resources', 'windows', 4),
  spec('dev_visitor-phone', HOSTILE_TEXTS[0], 'android', 3),
  spec('dev_translation-ipad', HOSTILE_TEXTS[2], 'ios', 2),
  spec('dev_old-kiosk', 'Kiosk in the canteen', 'linux', 1, { silentForDays: 6, agentVersion: '1.9.4' }),
  spec('dev_lost-phone', 'Lost phone of the night shift', 'ios', 2, { silentForDays: 3 }),
];

function spec(
  deviceId: string,
  name: string,
  platform: Device['platform'],
  weight: number,
  more: Partial<DeviceSpec> = {},
): DeviceSpec {
  return { deviceId, name, platform, weight, agentVersion: '2.4.1', ...more };
}

interface DeviceSetting {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly credential: string;
  readonly nowMs: () => number;
}

/** An event as a detector caused it, before the device completes it. */
export type EventContent = Omit<Event, 'event_id' | 'type' | 'tenant_id' | 'device_id' | 'timestamp'>;

/** A registered device. It signs with the time of the population, redacts, and chains its events as an agent does. */
export class PopulationDevice {
  readonly spec: DeviceSpec;
  readonly #setting: DeviceSetting;
  readonly #key: SoftwareKey;
  #sequence = 0;
  #previous: string | undefined;

  private constructor(spec: DeviceSpec, setting: DeviceSetting, key: SoftwareKey) {
    this.spec = spec;
    this.#setting = setting;
    this.#key = key;
  }

  static async register(spec: DeviceSpec, setting: DeviceSetting): Promise<PopulationDevice> {
    const device = new PopulationDevice(spec, setting, await generateDeviceKey('ed25519'));
    const { deviceId: device_id, name, platform, agentVersion: agent_version } = spec;
    const { publicKeyB64: public_key_b64 } = device.#key;
    const body = { device_id, name, platform, agent_version, public_key_b64 };
    await device.#post('/devices', body, 'tps-register');
    return device;
  }

  /** Sends events under one signature. Their times are the present of the population. */
  async send(contents: readonly EventContent[]): Promise<void> {
    const timestamp = new Date(this.#setting.nowMs()).toISOString();
    const events = contents.map((content) => this.#seal(content, timestamp));
    const answer = (await this.#post('/events/batch', { events }, 'tps-event')) as {
      results: readonly { status: number; error?: { message: string } }[];
    };
    const refused = answer.results.find(({ status }) => status !== 201);
    if (refused) throw new Error(`an event was refused: ${refused.error?.message}`);
  }

  #seal(content: EventContent, timestamp: string): Event {
    const { tenantId: tenant_id } = this.#setting;
    this.#sequence += 1;
    const event = redactEvent({
      event_id: `evt_${hash('sha256', `${this.spec.deviceId} ${this.#sequence}`, 'hex').slice(0, 26)}`,
      type: 'risk.event.created',
      timestamp,
      tenant_id,
      device_id: this.spec.deviceId,
      ...content,
      sequence: this.#sequence,
      ...(this.#previous === undefined ? {} : { previous_event_hash: this.#previous }),
    } satisfies Event);
    this.#previous = hash('sha256', canonicalize(event) ?? '', 'hex');
    return event as Event;
  }

  async #post(path: string, members: object, tag: SignatureTag): Promise<unknown> {
    const { baseUrl, tenantId, credential, nowMs } = this.#setting;
    const body = JSON.stringify({ tenant_id: tenantId, ...members });
    const { privateKey, algorithm } = this.#key;
    const created = Math.floor(nowMs() / 1000);
    const signer = { privateKey, algorithm, keyId: this.spec.deviceId, tag, created };
    const signature = await signRequest({ method: 'POST', path, body: Buffer.from(body) }, signer);
    const headers = {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      ...signature,
    };
    const response = await fetch(`${baseUrl}${path}`, { method: 'POST', body, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} of ${this.spec.deviceId}: ${response.status} ${text}`);
    return JSON.parse(text);
  }
}
