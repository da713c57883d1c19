import { readFileSync } from 'node:fs';
import type { Detection, DeviceDetails, DeviceKey } from '@tps/agent';
import type { Action, Event, NewPolicy } from '@tps/contract';
import type { PlainContent } from '@tps/detection';

export interface SampleDevice {
  readonly device_id: string;
  readonly name: string;
  readonly platform: DeviceDetails['platform'];
  readonly algorithm: DeviceKey['algorithm'];
  /** Signs and sends by itself, and makes the mistakes that the agent prevents. */
  readonly without_agent?: boolean;
}

/** What happens on the way: no network, an answer that is lost, a byte changed, a request recorded and sent again. */
type Trouble = 'offline' | 'answer_lost' | 'tampered' | 'replayed';

interface SampleStep {
  readonly key: string;
  readonly device: string;
  /** What reaches the person: the agent judges it, and records it if it is a threat. */
  readonly content?: PlainContent;
  /** What another sensor of the device reports: a video call, a program that was started. */
  readonly detection?: Detection;
  readonly trouble?: Trouble;
  readonly correction?: { readonly of: string; readonly action: Action; readonly reason: string };
  /** Of a device without an agent: the event as it makes it. */
  readonly event?: Omit<Event, 'event_id' | 'type' | 'timestamp' | 'tenant_id' | 'device_id'>;
  readonly minutes_ahead?: number;
  /** Code of the refusal that is meant to happen. */
  readonly expect?: string;
}

export interface Sample {
  readonly devices: readonly SampleDevice[];
  readonly policies: readonly NewPolicy[];
  readonly steps: readonly SampleStep[];
  /** What content and detections hold that must not reach the service. */
  readonly personal_data: readonly string[];
}

/** One thing that one device does. `key` is its own within the run. */
export interface Step extends Omit<SampleStep, 'device' | 'key'> {
  readonly key: string;
  readonly deviceId: string;
}

export function readSample(): Sample {
  return JSON.parse(readFileSync(new URL('../sample-events.json', import.meta.url), 'utf8'));
}

/** Plans so many steps. More than the sample has repeat it. */
export function planSteps({ steps }: Sample, count: number): Step[] {
  return Array.from({ length: count }, (_, index) => {
    const { device, key, correction, ...rest } = steps[index % steps.length] as SampleStep;
    const round = Math.floor(index / steps.length) + 1;
    return {
      ...rest,
      deviceId: device,
      key: `${round}-${key}`,
      ...(correction ? { correction: { ...correction, of: `${round}-${correction.of}` } } : {}),
    };
  });
}
