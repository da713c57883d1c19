import { setTimeout as sleep } from 'node:timers/promises';
import { generateDeviceKey, openNodeAgent } from '@tps/agent';
import { loadShippedModels } from '@tps/detection/node';
import { registerDevice } from '../agentless-device.ts';
import { enrolDevices } from '../enrol-devices.ts';
import { createFaultyNetwork, type EventAnswer } from './faulty-network.ts';
import type { Scenario, ScenarioDevice, Step } from './scenario.ts';
import { type AgentCounts, type ScriptedDevice, scriptAgent, scriptAgentless } from './scripted-device.ts';

export interface ScenarioOptions {
  readonly baseUrl: string;
  readonly tenantId: string;
  /** An enrolment secret with a use for each device. */
  readonly enrolmentSecret: string;
  /** Where the devices keep their files. */
  readonly directory: string;
  readonly agentVersion: string;
  readonly signal: AbortSignal;
  /** Called for each event in each answer of the service. */
  readonly onAnswer: (answer: EventAnswer) => void;
}

/** The devices of a scenario, enrolled and ready. */
export interface RunningScenario {
  /** Performs steps at a steady pace: devices side by side, each device one step after the other. Then uploads the rest. */
  play(steps: readonly Step[], intervalMs: number): Promise<void>;
  /** The sums over all agents. */
  counts(): AgentCounts;
  close(): Promise<void>;
}

/** Enrols the devices of a scenario, each with its own key, and opens their agents. */
export async function startScenario(
  scenario: Pick<Scenario, 'devices'>,
  options: ScenarioOptions,
): Promise<RunningScenario> {
  const withAgent = scenario.devices.filter((device) => !device.without_agent);
  const agentless = scenario.devices.filter((device) => device.without_agent);
  const fleet = new Map<string, ScriptedDevice>([
    ...(await startAgents(withAgent, options)),
    ...(await startAgentless(agentless, options)),
  ]);
  return {
    async play(steps, intervalMs) {
      await performSteps(steps, { fleet, intervalMs, signal: options.signal });
      for (const device of fleet.values()) await device.finish();
    },
    counts: () => [...fleet.values()].map((device) => device.counts()).reduce(add),
    async close() {
      await Promise.all([...fleet.values()].map((device) => device.close()));
    },
  };
}

async function startAgents(devices: readonly ScenarioDevice[], options: ScenarioOptions) {
  const { baseUrl, tenantId, enrolmentSecret, directory, agentVersion, signal } = options;
  const models = loadShippedModels();
  const enrolled = await enrolDevices({
    specs: devices.map(({ device_id: deviceId, ...device }) => ({ ...device, deviceId })),
    directory,
    baseUrl,
    tenantId,
    enrolmentSecret,
    agentVersion,
    signal,
  });
  return Promise.all(
    enrolled.map(async ({ deviceId, directory }) => {
      const network = createFaultyNetwork(options.onAnswer);
      const agent = await openNodeAgent({
        directory,
        agentVersion,
        models,
        autonomous: false,
        statusEveryHours: 0,
        fetch: network.fetch,
      });
      await agent.refreshPolicies();
      return [deviceId, scriptAgent(agent, network)] as const;
    }),
  );
}

function startAgentless(devices: readonly ScenarioDevice[], options: ScenarioOptions) {
  const { baseUrl, tenantId, enrolmentSecret, onAnswer } = options;
  return Promise.all(
    devices.map(async ({ device_id: deviceId, platform, name, algorithm }) => {
      const key = await generateDeviceKey(algorithm);
      const identity = { deviceId, platform, name, key };
      const device = await registerDevice({ baseUrl, tenantId, credential: enrolmentSecret }, identity);
      const network = createFaultyNetwork(onAnswer);
      return [deviceId, scriptAgentless(device, { baseUrl, network })] as const;
    }),
  );
}

async function performSteps(
  steps: readonly Step[],
  parts: { fleet: ReadonlyMap<string, ScriptedDevice>; intervalMs: number; signal: AbortSignal },
): Promise<void> {
  const { fleet, intervalMs, signal } = parts;
  const pending = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const startedAt = performance.now();
  for (const [index, step] of steps.entries()) {
    const waitMs = startedAt + index * intervalMs - performance.now();
    if (waitMs > 1) await sleep(waitMs, undefined, { signal });
    await pending.get(step.deviceId);
    signal.throwIfAborted();
    if (failures.length > 0) break;
    const device = fleet.get(step.deviceId);
    if (!device) throw new Error(`The scenario has no device ${step.deviceId}.`);
    const work = device.perform(step).catch((error: unknown) => void failures.push(error));
    pending.set(step.deviceId, work);
  }
  await Promise.all(pending.values());
  if (failures.length > 0) throw failures[0];
}

function add(one: AgentCounts, other: AgentCounts): AgentCounts {
  return {
    scanned: one.scanned + other.scanned,
    harmless: one.harmless + other.harmless,
    recorded: one.recorded + other.recorded,
    archived: one.archived + other.archived,
  };
}
