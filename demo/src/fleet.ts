import { join } from 'node:path';
import {
  createDeviceClient,
  DeviceClientError,
  enrolDevice,
  generateDeviceKey,
  openNodeAgent,
} from '@tps/agent';
import type { Models } from '@tps/detection';
import { loadShippedModels } from '@tps/detection/node';
import type { SampleDevice, Step } from './sample.ts';
import { createWire, type Outcome, type Wire } from './wire.ts';

const AGENT_VERSION = '0.1.0';

/** What a fleet needs of the service. */
export interface FleetService {
  readonly baseUrl: string;
  readonly tenantId: string;
  /** May register devices and nothing else. */
  readonly enrolmentCredential: string;
  /** Devices send with it and read policies. */
  readonly deviceCredential: string;
  /** Where the devices keep their files. */
  readonly directory: string;
}

/** How many messages, calls and links a device has judged, and how many of them it found to be no threat; how many events it has recorded, and knows to be with the service. */
export interface Account {
  readonly judged: number;
  readonly harmless: number;
  readonly recorded: number;
  readonly archived: number;
}

export interface FleetDevice extends SampleDevice {
  perform(step: Step): Promise<void>;
  /** Brings what still waits to the service. */
  finish(): Promise<void>;
  account(): Account;
  close(): Promise<void>;
}

/** Enrols the devices, each with a key of its own, and has an agent on all but those that do without. */
export function startFleet(
  devices: readonly SampleDevice[],
  service: FleetService,
  onOutcome: (outcome: Outcome) => void,
): Promise<FleetDevice[]> {
  const models = loadShippedModels();
  return Promise.all(
    devices.map((device) => {
      const wire = createWire(onOutcome);
      return device.without_agent
        ? startBareDevice(device, service, wire)
        : startAgent(device, { service, wire, models });
    }),
  );
}

async function startAgent(
  device: SampleDevice,
  { service, wire, models }: { service: FleetService; wire: Wire; models: Models },
): Promise<FleetDevice> {
  const { device_id: deviceId, platform, name, algorithm } = device;
  const { baseUrl, enrolmentCredential, deviceCredential } = service;
  const directory = join(service.directory, deviceId);
  const { fetch } = wire;
  await enrolDevice({
    directory,
    baseUrl,
    enrolmentCredential,
    deviceId,
    platform,
    name,
    algorithm,
    agentVersion: AGENT_VERSION,
    fetch,
  });
  const agent = await openNodeAgent({
    directory,
    credential: deviceCredential,
    agentVersion: AGENT_VERSION,
    models,
    autonomous: false,
    statusEveryHours: 0,
    fetch,
  });
  await agent.refreshPolicies();
  /** Ids of the recorded events by the keys of their steps. */
  const recorded = new Map<string, string>();
  let judged = 0;
  let harmless = 0;

  const note = async ({ key, content, detection, correction }: Step) => {
    if (correction) {
      const { of, action, reason } = correction;
      const root = recorded.get(of);
      if (root === undefined) throw new Error(`${deviceId} has recorded nothing under ${of}.`);
      recorded.set(key, (await agent.correct(root, { action, reason })).eventId);
    } else if (content) {
      const screened = await agent.screen(content);
      judged += 1;
      if (screened.recorded) recorded.set(key, screened.recorded.eventId);
      else harmless += 1;
    } else if (detection) {
      recorded.set(key, (await agent.record(detection)).eventId);
    }
  };
  return {
    ...device,
    async perform(step) {
      const { trouble } = step;
      await note(step);
      wire.isDown = trouble === 'offline';
      if (trouble === 'tampered' || trouble === 'answer_lost') wire.befallNext(trouble);
      if (await agent.flush()) {
        if (trouble === 'replayed') await wire.replayLast();
      } else if (trouble !== 'offline') {
        // It has backed off, or stopped because the service refused it: nothing is lost, and here nobody waits.
        agent.resume();
        await agent.flush();
      }
    },
    async finish() {
      wire.isDown = false;
      await agent.flush();
    },
    account: () => ({ judged, harmless, recorded: recorded.size, archived: agent.health().store.archived }),
    close: () => agent.close(),
  };
}

/** A device that speaks to the service by itself: it can send what no agent would. */
async function startBareDevice(
  device: SampleDevice,
  service: FleetService,
  wire: Wire,
): Promise<FleetDevice> {
  const { device_id: deviceId, platform, name, algorithm } = device;
  const { baseUrl, tenantId, enrolmentCredential, deviceCredential } = service;
  const key = await generateDeviceKey(algorithm);
  const options = { baseUrl, deviceId, key, fetch: wire.fetch };
  await createDeviceClient({ ...options, credential: enrolmentCredential }).register({ platform, name });
  const client = createDeviceClient({ ...options, credential: deviceCredential });
  return {
    ...device,
    async perform({ key: name, event, expect, minutes_ahead = 0 }) {
      if (!event) return;
      wire.expect(expect);
      const sent = {
        ...event,
        event_id: `evt_demo-${name}`,
        type: 'risk.event.created' as const,
        timestamp: new Date(Date.now() + minutes_ahead * 60_000).toISOString(),
        tenant_id: tenantId,
        device_id: deviceId,
      };
      await client.submitEvent(sent).catch((error: unknown) => {
        // A refusal has been noted on the way; only what is no answer at all is a failure here.
        if (!(error instanceof DeviceClientError)) throw error;
      });
    },
    finish: () => Promise.resolve(),
    account: () => ({ judged: 0, harmless: 0, recorded: 0, archived: 0 }),
    close: () => Promise.resolve(),
  };
}
