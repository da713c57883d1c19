import { join } from 'node:path';
import { type Client, createClient, type Event } from '@tps/client';
import { planSteps, type ScenarioDevice, type Step, startScenario } from '@tps/simulator';
import { checkResults } from './check-results.ts';
import { type NewItems, startObserver } from './observer.ts';
import type { Options } from './options.ts';
import { noteAnswer, startProgress } from './progress.ts';
import { readSample, type Sample } from './sample.ts';
import type { RunningService } from './start-service.ts';
import { countBy, describeRun, describeTriage } from './summary.ts';
import { triageOne } from './triage-check.ts';
import { createView } from './view.ts';
import { startWebhooks } from './webhook-check.ts';

const INTERVAL_MS = 230;

interface DemoOptions {
  readonly options: Options;
  readonly signal: AbortSignal;
}

/** Plays the sample, shows what the service derives from it, and returns whether all checks hold. */
export async function runDemo(service: RunningService, demo: DemoOptions): Promise<boolean> {
  const { options, signal } = demo;
  const sample = readSample();
  const { startedInMs, baseUrl, credential, pid } = service;
  console.log(`Service ready in ${startedInMs} ms at ${baseUrl} (process ${pid}, a new SQLite store)`);
  const client = createClient({ baseUrl, credential });
  for (const policy of sample.policies) await client.policies.create(policy);
  console.log(`${sample.policies.length} policies created, which the agents decide by`);
  const webhooks = await startWebhooks(client);
  console.log('2 webhooks registered: one with a working receiver, and one with a broken receiver');
  try {
    const steps = planSteps(sample, options.events ?? sample.steps.length);
    const { progress, counts, seconds } = await playSteps(service, { ...demo, client, sample, steps });
    const pushed = await webhooks.check(progress.feed, signal);
    const triage = await triageOne(client, { incidentIds: [...progress.incidents.keys()], signal });
    const secondReading: Event[] = [];
    for await (const event of client.events.list({ limit: 500 })) secondReading.push(event);
    const checks = [
      ...(await checkResults({ progress, secondReading, sample, steps, counts })),
      ...pushed.checks,
      ...(triage?.checks ?? []),
    ];
    const status = await client.status.get();
    if (triage) console.log(describeTriage(triage));
    console.log(describeRun({ progress, webhooks: pushed, status, checks, seconds }));
    return checks.every(({ holds }) => holds);
  } finally {
    webhooks.close();
  }
}

/** Lets the devices perform their steps while an observer reads back what the service makes of them. */
async function playSteps(
  { baseUrl, tenantId, directory }: RunningService,
  parts: DemoOptions & { client: Client; sample: Sample; steps: readonly Step[] },
) {
  const { client, sample, steps, options, signal } = parts;
  const progress = startProgress(steps.length);
  const view = createView(process.stdout);
  try {
    const scenario = await startScenario(sample, {
      enrolmentSecret: await createSecret(client, sample.devices.length),
      baseUrl,
      tenantId,
      directory: join(directory, 'devices'),
      agentVersion: '1.0.0',
      signal,
      onAnswer(answer) {
        noteAnswer(progress, answer);
        view.onAnswer(answer, progress);
      },
    });
    const { devices } = sample;
    console.log(`${devices.length} devices enrolled, each with its own key: ${countKeys(devices)}`);
    const startedAt = performance.now();
    const onNew = (items: NewItems) => view.onNew(items, progress);
    const stopObserver = startObserver(client, { progress, signal, onNew });
    await scenario.play(steps, INTERVAL_MS / options.speed);
    await stopObserver();
    const seconds = (performance.now() - startedAt) / 1000;
    const counts = scenario.counts();
    await scenario.close();
    return { progress, counts, seconds };
  } finally {
    view.end();
  }
}

/** Creates the secret with which the devices enrol. Each then has its own credential. */
async function createSecret(client: Client, devices: number): Promise<string> {
  return (await client.enrolments.create({ name: 'Devices of the demo', max_uses: devices })).secret ?? '';
}

function countKeys(devices: readonly ScenarioDevice[]): string {
  const counts = countBy(devices.map(({ algorithm }) => algorithm));
  return [...counts].map(([name, times]) => `${times} ${name}`).join(', ');
}
