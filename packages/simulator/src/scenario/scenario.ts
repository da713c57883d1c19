import type { Detection, DeviceDetails, DeviceKey } from '@tps/agent';
import type { Action, Event } from '@tps/contract';
import type { PlainContent } from '@tps/detection';

export interface ScenarioDevice {
  readonly device_id: string;
  readonly name: string;
  readonly platform: DeviceDetails['platform'];
  readonly algorithm: DeviceKey['algorithm'];
  /** Signs and sends its own events, and makes mistakes that the agent prevents. */
  readonly without_agent?: boolean;
}

/**
 * What happens to the request of a step: the device is offline; the answer is lost; one byte is changed after signing;
 * the request is recorded and sent a second time.
 */
export type NetworkFault = 'offline' | 'answer_lost' | 'tampered' | 'replayed';

interface ScenarioStep {
  readonly key: string;
  readonly device: string;
  /** A message, call or link: the agent scans it, and records an event when it is a threat. */
  readonly content?: PlainContent;
  /** A report of another sensor on the device: a video call, a program that was started. */
  readonly detection?: Detection;
  readonly fault?: NetworkFault;
  readonly correction?: { readonly of: string; readonly action: Action; readonly reason: string };
  /** The event of a device without an agent. */
  readonly event?: Omit<Event, 'event_id' | 'type' | 'timestamp' | 'tenant_id' | 'device_id'>;
  readonly minutes_ahead?: number;
  /** Code of the refusal that is expected. */
  readonly expect?: string;
}

/** Devices, and what happens to them in which order. */
export interface Scenario {
  readonly devices: readonly ScenarioDevice[];
  readonly steps: readonly ScenarioStep[];
}

/** One thing that one device does. `key` is unique within a run. */
export interface Step extends Omit<ScenarioStep, 'device'> {
  readonly deviceId: string;
}

/** Plans this many steps, and repeats the scenario when it has fewer. */
export function planSteps({ steps }: Pick<Scenario, 'steps'>, count: number): Step[] {
  return Array.from({ length: count }, (_, index) => {
    const { device, key, correction, ...rest } = steps[index % steps.length] as ScenarioStep;
    const round = Math.floor(index / steps.length) + 1;
    return {
      ...rest,
      deviceId: device,
      key: `${round}-${key}`,
      ...(correction ? { correction: { ...correction, of: `${round}-${correction.of}` } } : {}),
    };
  });
}
