/**
 * A process with several agents, which the test kills: each decides, records and uploads as fast as it can. It prints one
 * line per event as soon as the agent has stored it.
 *
 * recording-agents.js record|drain DIRECTORY COUNT, with TPS_CREDENTIAL set
 */
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, openNodeAgent } from '@tps/agent';

/** The first agent is offline while it records, and has little space: its ring buffer overflows. */
const ISOLATED = 0;
const LITTLE_ROOM_BYTES = 1 << 20;
const MAX_PAUSE_MS = 4;
const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

const [mode = '', directory = '', count = '1'] = process.argv.slice(2);
const numbers = Array.from({ length: Number(count) }, (_, number) => number);
await (mode === 'drain' ? drain() : record());

async function record(): Promise<void> {
  const agents = await Promise.all(numbers.map((number) => openAgent(number, true)));
  await Promise.all(
    agents.map(async (agent, number) => {
      for (;;) await recordOne(agent, number);
    }),
  );
}

async function recordOne(agent: Agent, number: number): Promise<void> {
  const severity = SEVERITIES[Math.floor(Math.random() * SEVERITIES.length)] ?? 'low';
  const { eventId, kept } = await agent.record({
    threatCategory: 'phishing',
    confidence: 0.9,
    severity,
    description: `SMS from +49 151 23456789 to kanarie7f3d9b@example.com ${number === ISOLATED ? 'x '.repeat(1900) : ''}`,
    indicators: [`https://kanarie7f3d9b.example/${Math.random()}`],
  });
  // Written immediately: lines in the buffers of a killed process would be lost.
  if (kept === 'disk') writeSync(1, `${number} ${eventId}\n`);
  if (number !== ISOLATED) await sleep(Math.random() * MAX_PAUSE_MS);
}

/** Uploads everything and prints the final state of each agent. */
async function drain(): Promise<void> {
  for (const number of numbers) {
    const agent = await openAgent(number, false);
    while (!(await agent.flush())) await sleep(50);
    while (agent.health().store.undeclared > 0) {
      await agent.recordStatus();
      await agent.flush();
    }
    const { deviceId, store } = agent.health();
    writeSync(1, `${JSON.stringify({ deviceId, store })}\n`);
    await agent.close();
  }
}

function openAgent(number: number, isRecording: boolean): Promise<Agent> {
  const isIsolated = number === ISOLATED && isRecording;
  return openNodeAgent({
    directory: join(directory, String(number)),
    credential: process.env.TPS_CREDENTIAL ?? '',
    autonomous: isRecording,
    statusEveryHours: 0,
    ...(number === ISOLATED ? { budgetBytes: LITTLE_ROOM_BYTES } : {}),
    ...(isIsolated ? { fetch: () => Promise.reject(new TypeError('no network')) } : {}),
  });
}
