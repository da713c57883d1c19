import { type Agent, DeviceClientError } from '@tps/agent';
import { type AgentlessDevice, createEvent, toDeviceClient } from '../agentless-device.ts';
import type { FaultyNetwork } from './faulty-network.ts';
import type { Step } from './scenario.ts';

/** How many messages, calls and links agents scanned, and what they did with the events they recorded. */
export interface AgentCounts {
  readonly scanned: number;
  /** Scanned and found harmless. */
  readonly harmless: number;
  readonly recorded: number;
  /** Recorded, and confirmed by the service. */
  readonly archived: number;
}

export interface ScriptedDevice {
  perform(step: Step): Promise<void>;
  /** Goes online and uploads what still waits. */
  finish(): Promise<void>;
  counts(): AgentCounts;
  close(): Promise<void>;
}

/** Performs steps with an agent: it scans, decides, records and uploads. */
export function scriptAgent(agent: Agent, network: FaultyNetwork): ScriptedDevice {
  /** Ids of recorded events by the keys of their steps. */
  const eventIds = new Map<string, string>();
  let scanned = 0;
  let harmless = 0;

  const record = async ({ key, content, detection, correction }: Step) => {
    if (correction) {
      const { of, action, reason } = correction;
      const corrected = eventIds.get(of);
      if (corrected === undefined)
        throw new Error(`The scenario corrects step ${of}, which recorded nothing.`);
      eventIds.set(key, (await agent.correct(corrected, { action, reason })).eventId);
    } else if (content) {
      const { recorded } = await agent.scan(content);
      scanned += 1;
      if (recorded) eventIds.set(key, recorded.eventId);
      else harmless += 1;
    } else if (detection) {
      eventIds.set(key, (await agent.record(detection)).eventId);
    }
  };
  return {
    async perform(step) {
      const { fault } = step;
      await record(step);
      network.isOffline = fault === 'offline';
      if (fault === 'tampered' || fault === 'answer_lost') network.failNext(fault);
      if (await agent.flush()) {
        if (fault === 'replayed') await network.replayLast();
      } else if (fault !== 'offline') {
        // The agent waits before it tries again. A scenario does not.
        agent.resume();
        await agent.flush();
      }
    },
    async finish() {
      network.isOffline = false;
      await agent.flush();
    },
    counts: () => ({ scanned, harmless, recorded: eventIds.size, archived: agent.health().store.archived }),
    close: () => agent.close(),
  };
}

/** Performs steps by sending the events of the script as they are. */
export function scriptAgentless(
  device: AgentlessDevice,
  { baseUrl, network }: { baseUrl: string; network: FaultyNetwork },
): ScriptedDevice {
  const client = toDeviceClient(device, { baseUrl, fetch: network.fetch });
  return {
    async perform({ key, event, expect, minutes_ahead = 0 }) {
      if (!event) return;
      network.expect(expect);
      const timestamp = new Date(Date.now() + minutes_ahead * 60_000).toISOString();
      const sent = createEvent(device, { ...event, event_id: `evt_scenario-${key}`, timestamp });
      await client.submitEvent(sent).catch((error: unknown) => {
        // The network has reported a refusal. Only a missing answer is a failure here.
        if (!(error instanceof DeviceClientError)) throw error;
      });
    },
    finish: () => Promise.resolve(),
    counts: () => ({ scanned: 0, harmless: 0, recorded: 0, archived: 0 }),
    close: () => Promise.resolve(),
  };
}
