import type { ProtectionStatus } from '@tps/contract';
import { createApiReader } from './api-reader.ts';
import { checkResults } from './check-results.ts';
import { type FleetDevice, registerFleet } from './fleet.ts';
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

const INTERVAL_MS = 230;

/** Lets the fleet send its events, shows what comes of them, and tells whether everything matched. */
export async function runDemo(
  service: RunningService,
  { options, signal }: { options: Options; signal: AbortSignal },
): Promise<boolean> {
  const sample = readSample();
  const { startedInMs, baseUrl, pid } = service;
  console.log(`Service ready in ${startedInMs} ms at ${baseUrl} (process ${pid}, a fresh SQLite store)`);

  const fleet = await registerFleet(sample.devices, service);
  console.log(`${fleet.length} devices registered, each with its own key: ${countAlgorithms(fleet)}`);

  const trial = await startWebhookTrial(createApiReader(service));
  console.log('2 webhooks registered: one whose receiver works, and one whose receiver is out of order');
  try {
    return await runFleet({ service, fleet, sample, trial, options, signal });
  } finally {
    await trial.close();
  }
}

async function runFleet(parts: {
  service: RunningService;
  fleet: FleetDevice[];
  sample: Sample;
  trial: WebhookTrial;
  options: Options;
  signal: AbortSignal;
}): Promise<boolean> {
  const { service, fleet, sample, trial, options, signal } = parts;
  const isTerminal = process.stdout.isTTY === true && process.stdout.rows >= MIN_ROWS;
  const isColoured = isTerminal && !process.env.NO_COLOR;
  const paint = createPainter(isColoured);
  const count = options.events ?? sample.events.length;
  const steps = planSteps(sample, { count, tenantId: service.tenantId, nowMs: Date.now() });
  const progress = startProgress(count);
  const reader = createApiReader(service);
  const view = isTerminal ? createLiveView(process.stdout, { isColoured }) : undefined;
  const startedAt = performance.now();
  const onLook = (fresh: Fresh) => {
    if (view) view.draw(progress, observer.observed);
    else for (const line of freshLines(fresh)) console.log(line);
  };
  const observer = startObserver(reader, { signal, onLook });
  try {
    await sendSteps(steps, {
      fleet,
      intervalMs: INTERVAL_MS / options.speed,
      signal,
      onOutcome(outcome) {
        noteOutcome(progress, outcome);
        if (view) view.draw(progress, observer.observed);
        else console.log(outcomeLine(outcome));
      },
    });
    await observer.finish();
  } finally {
    view?.end();
  }
  const seconds = (performance.now() - startedAt) / 1000;

  const { observed } = observer;
  const webhooks = await trial.finish(observed.feed, signal);
  const { events: secondReading } = await reader.readFeed(undefined);
  const isWholeSample = count >= sample.events.length;
  const { outcomes } = progress;
  const triage = await triageOne(reader, { incidents: observed.incidents, signal });
  const findings = [
    ...checkResults({ outcomes, observed, secondReading, sample, isWholeSample }),
    ...webhooks.findings,
    ...(triage?.findings ?? []),
  ];
  const status = await reader.get<ProtectionStatus>('/status');
  if (triage) console.log(describeTriage(triage, paint));
  console.log(summarise({ progress, observed, webhooks, status, findings, seconds, paint }));
  return findings.every(({ holds }) => holds);
}

function countAlgorithms(fleet: readonly { algorithm: string }[]): string {
  const names = new Map<string, number>();
  for (const { algorithm } of fleet) names.set(algorithm, (names.get(algorithm) ?? 0) + 1);
  return [...names].map(([name, times]) => `${times} ${name}`).join(', ');
}
