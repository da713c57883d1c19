import { join } from 'node:path';
import { type Client, createClient, type Event } from '@tps/client';
import { checkResults } from './check-results.ts';
import { type FleetDevice, type FleetService, startFleet } from './fleet.ts';
import { createLiveView, MIN_ROWS } from './live-view.ts';
import { type Fresh, startObserver } from './observer.ts';
import type { Options } from './options.ts';
import { freshLines, outcomeLine } from './plain-view.ts';
import { noteOutcome, startProgress } from './progress.ts';
import type { RunningService } from './running-service.ts';
import { planSteps, readSample, type Sample } from './sample.ts';
import { sendSteps } from './send-steps.ts';
import { createPainter } from './style.ts';
import { describeTriage, summarise } from './summary.ts';
import { triageOne } from './triage-trial.ts';
import { startWebhookTrial, type WebhookTrial } from './webhook-trial.ts';
import type { Outcome } from './wire.ts';

const INTERVAL_MS = 230;

/** Lets the fleet record its detections, shows what comes of them, and tells whether everything matched. */
export async function runDemo(
  service: RunningService,
  { options, signal }: { options: Options; signal: AbortSignal },
): Promise<boolean> {
  const sample = readSample();
  const { startedInMs, baseUrl, credential, pid } = service;
  console.log(`Service ready in ${startedInMs} ms at ${baseUrl} (process ${pid}, a fresh SQLite store)`);
  const client = createClient({ baseUrl, credential });
  for (const policy of sample.policies) await client.policies.create(policy);
  console.log(`${sample.policies.length} policies made, by which the agents decide`);

  const trial = await startWebhookTrial(client);
  console.log('2 webhooks registered: one whose receiver works, and one whose receiver is out of order');
  try {
    return await runFleet({ client, service, sample, trial, options, signal });
  } finally {
    await trial.close();
  }
}

async function runFleet(parts: {
  client: Client;
  service: RunningService;
  sample: Sample;
  trial: WebhookTrial;
  options: Options;
  signal: AbortSignal;
}): Promise<boolean> {
  const { client, service, sample, trial, options, signal } = parts;
  let onOutcome: (outcome: Outcome) => void = () => undefined;
  const fleet = await startFleet(sample.devices, await admitFleet(client, service), (outcome) =>
    onOutcome(outcome),
  );
  console.log(`${fleet.length} devices enrolled, each with its own key: ${countAlgorithms(fleet)}`);

  const isTerminal = process.stdout.isTTY === true && process.stdout.rows >= MIN_ROWS;
  const isColoured = isTerminal && !process.env.NO_COLOR;
  const paint = createPainter(isColoured);
  const count = options.events ?? sample.steps.length;
  const steps = planSteps(sample, count);
  const progress = startProgress(count);
  const view = isTerminal ? createLiveView(process.stdout, { isColoured }) : undefined;
  const startedAt = performance.now();
  const onLook = (fresh: Fresh) => {
    if (view) view.draw(progress, observer.observed);
    else for (const line of freshLines(fresh)) console.log(line);
  };
  const observer = startObserver(client, { signal, onLook });
  onOutcome = (outcome) => {
    noteOutcome(progress, outcome);
    if (view) view.draw(progress, observer.observed);
    else console.log(outcomeLine(outcome));
  };
  const intervalMs = INTERVAL_MS / options.speed;
  try {
    await sendSteps(steps, { fleet, intervalMs, signal });
    for (const device of fleet) await device.finish();
    await observer.finish();
  } finally {
    view?.end();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const accounts = fleet.map((device) => device.account());
  await Promise.all(fleet.map((device) => device.close()));

  const { observed } = observer;
  const webhooks = await trial.finish(observed.feed, signal);
  const secondReading: Event[] = [];
  for await (const event of client.events.list({ limit: 500 })) secondReading.push(event);
  const isWholeSample = count >= sample.steps.length;
  const { outcomes } = progress;
  const triage = await triageOne(client, { incidents: observed.incidents, signal });
  const findings = [
    ...checkResults({ outcomes, observed, secondReading, sample, steps, accounts, isWholeSample }),
    ...webhooks.findings,
    ...(triage?.findings ?? []),
  ];
  const status = await client.status.get();
  if (triage) console.log(describeTriage(triage, paint));
  console.log(summarise({ progress, observed, webhooks, status, findings, seconds, paint }));
  return findings.every(({ holds }) => holds);
}

/** Makes the two credentials that devices get, each with as little as will do. */
async function admitFleet(client: Client, service: RunningService): Promise<FleetService> {
  const { baseUrl, tenantId } = service;
  const enrolment = await client.tokens.create({ name: 'Enrolment', scopes: ['devices:write'] });
  const device = await client.tokens.create({ name: 'Devices', scopes: ['events:write', 'devices:read'] });
  return {
    baseUrl,
    tenantId,
    enrolmentCredential: enrolment.token ?? '',
    deviceCredential: device.token ?? '',
    directory: join(service.directory, 'devices'),
  };
}

function countAlgorithms(fleet: readonly FleetDevice[]): string {
  const names = new Map<string, number>();
  for (const { algorithm } of fleet) names.set(algorithm, (names.get(algorithm) ?? 0) + 1);
  return [...names].map(([name, times]) => `${times} ${name}`).join(', ');
}
