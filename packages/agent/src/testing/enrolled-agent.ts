import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Agent, AgentNotice } from '../agent.ts';
import { enrolDevice } from '../node/enrol-device.ts';
import { type NodeAgentOptions, openNodeAgent } from '../node/open-node-agent.ts';
import type { Detection } from '../policy/detection.ts';
import { startFeedService } from './feed-service.ts';
import { CREDENTIAL } from './known-device.ts';

/** A service, an enrolled device, and its agent without background work. */
export async function startScene(options: Partial<NodeAgentOptions> = {}) {
  const service = await startFeedService();
  const directory = await mkdtemp(join(tmpdir(), 'tps-agent-'));
  const agents = new Set<Agent>();
  onTestFinished(async () => {
    await Promise.all([...agents].map((agent) => agent.close()));
    await rm(directory, { recursive: true, force: true });
  });
  const enrolment = {
    directory,
    baseUrl: service.url,
    tenantId: 'tnt_1',
    enrolmentCredential: CREDENTIAL,
    platform: 'linux',
  } as const;
  const identity = await enrolDevice(enrolment);
  const notices: AgentNotice[] = [];
  const open = async (more: Partial<NodeAgentOptions> = {}) => {
    const agent = await openNodeAgent({
      directory,
      credential: CREDENTIAL,
      autonomous: false,
      statusEveryHours: 0,
      fsync: 'never',
      onNotice: (notice) => notices.push(notice),
      ...options,
      ...more,
    });
    agents.add(agent);
    return agent;
  };
  return { service, directory, identity, notices, open, agent: await open() };
}

export function detection(number: number, parts: Partial<Detection> = {}): Detection {
  return { threatCategory: 'phishing', confidence: 0.6, description: `Detection ${number}`, ...parts };
}
