import { readFileSync } from 'node:fs';
import type { DeviceDetails, DeviceKey } from '@tps/agent';
import type { Event } from '@tps/contract';

export interface SampleDevice {
  readonly device_id: string;
  readonly name: string;
  readonly platform: DeviceDetails['platform'];
  readonly algorithm: DeviceKey['algorithm'];
}

type Detection = Omit<Event, 'event_id' | 'type' | 'timestamp' | 'tenant_id' | 'device_id'>;

/** One detection of the sample file, without what only a running service and a clock can give it. */
interface SampleEvent extends Omit<Detection, 'corrects_event_id'> {
  readonly key: string;
  readonly device: string;
  readonly minutes_ago: number;
  /** Key of the event that this one corrects. */
  readonly corrects?: string;
  /** Neighbours with the same name travel in one request. */
  readonly batch?: string;
  readonly how?: Trouble;
  /** Code of the refusal that is meant to happen. */
  readonly expect?: string;
}

export interface Sample {
  readonly devices: readonly SampleDevice[];
  readonly events: readonly SampleEvent[];
  /** What the descriptions hold that must not reach the service. */
  readonly personal_data: readonly string[];
}

/** What happens to a request on its way: sent again, changed by one byte, or recorded and sent again by somebody else. */
type Trouble = 'retried' | 'tampered' | 'replayed';

/** One request of one device, and how it is meant to end. */
export interface Step {
  readonly deviceId: string;
  readonly events: readonly Event[];
  readonly trouble: Trouble | undefined;
  readonly expected: string | undefined;
}

export function readSample(): Sample {
  return JSON.parse(readFileSync(new URL('../sample-events.json', import.meta.url), 'utf8'));
}

/** Turns the sample into so many events of this tenant, as of now. More than the sample has repeat it under new ids. */
export function planSteps(
  { events }: Sample,
  { count, tenantId, nowMs }: { count: number; tenantId: string; nowMs: number },
): Step[] {
  const steps: Step[] = [];
  let batch: string | undefined;
  for (let index = 0; index < count; index += 1) {
    const sampled = events[index % events.length];
    if (!sampled) break;
    const round = Math.floor(index / events.length) + 1;
    const event = toEvent(sampled, { round, tenantId, nowMs });
    const last = steps.at(-1);
    if (last && sampled.batch !== undefined && sampled.batch === batch) {
      steps[steps.length - 1] = { ...last, events: [...last.events, event] };
    } else {
      const { device, how, expect } = sampled;
      steps.push({ deviceId: device, events: [event], trouble: how, expected: expect });
    }
    batch = sampled.batch;
  }
  return steps;
}

function toEvent(
  sampled: SampleEvent,
  { round, tenantId, nowMs }: { round: number; tenantId: string; nowMs: number },
): Event {
  const {
    key,
    device,
    minutes_ago,
    corrects,
    batch: _batch,
    how: _how,
    expect: _expect,
    ...detection
  } = sampled;
  return {
    ...detection,
    event_id: `evt_demo-${round}-${key}`,
    type: 'risk.event.created',
    timestamp: new Date(nowMs - minutes_ago * 60_000).toISOString(),
    tenant_id: tenantId,
    device_id: device,
    ...(corrects === undefined ? {} : { corrects_event_id: `evt_demo-${round}-${corrects}` }),
  };
}
