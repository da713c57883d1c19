import type { ProtectionStatus } from '@tps/client';
import type { Finding } from './check-results.ts';
import type { Observed } from './observer.ts';
import { type Progress, refusedCount } from './progress.ts';
import type { RunningService } from './running-service.ts';
import type { Painter } from './style.ts';
import type { TriageResults } from './triage-trial.ts';
import type { WebhookResults } from './webhook-trial.ts';

/** Writes what came of the run: numbers, then what was checked. */
export function summarise(parts: {
  progress: Progress;
  observed: Observed;
  webhooks: WebhookResults;
  status: ProtectionStatus;
  findings: readonly Finding[];
  seconds: number;
  paint: Painter;
}): string {
  const { progress, observed, webhooks, status, findings, seconds, paint } = parts;
  const { alerts, threats, incidents } = observed;
  const rows: [string, number | string, string][] = [
    ['devices', status.devices.total, `${status.devices.online} online`],
    ['answers', progress.outcomes.length, `in ${seconds.toFixed(1)} s`],
    ['  accepted', progress.stored, ''],
    ['  known already', progress.known, 'sent again, stored once'],
    ['  refused', refusedCount(progress), [...progress.refused.keys()].join(', ')],
    ['read back by cursor', observed.feed.length, ''],
    ['alerts', alerts.size, `${status.alerts.open} open`],
    ['threats', threats.size, `${status.threats.active} active`],
    ['incidents', incidents.size, countBy([...incidents.values()].map(({ category }) => category))],
    ['webhook deliveries', webhooks.arrived, 'each event once'],
    ['  dead letters', webhooks.deadLetters, describeReplay(webhooks)],
    ['protection status', status.status, status.reasons.join('; ')],
  ];
  const lines = rows.map(([name, value, note]) =>
    `  ${name.padEnd(20)} ${String(value).padStart(8)}  ${note}`.trimEnd(),
  );
  const verdicts = findings.map(
    ({ holds, text }) => `  ${holds ? paint('green', 'ok    ') : paint(['red', 'bold'], 'WRONG ')} ${text}`,
  );
  return ['', paint('bold', 'Summary'), ...lines, '', paint('bold', 'Checked'), ...verdicts, ''].join('\n');
}

/** Shows the report of a triage as the reviewer read it, and what became of the incident. */
export function describeTriage({ incident, report }: TriageResults, paint: Painter): string {
  const { status, resolution, timeline } = incident;
  const outcome = resolution === null ? status : `${status} as ${resolution}`;
  return [
    '',
    paint('bold', 'Triage report, as its reviewer read it'),
    '',
    ...report
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`.trimEnd()),
    '',
    paint('bold', `Approved. ${incident.id} is now ${outcome}`),
    `  ${timeline.at(-1)?.message ?? ''}`,
  ].join('\n');
}

function describeReplay({ replayed }: WebhookResults): string {
  return replayed ? `"${replayed.last_error}"; one of them replayed` : '';
}

function countBy(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, times]) => `${name} ${times}`).join(', ');
}

/** Writes how to look around in the service that is kept running. Its store is a throw-away, and so is the credential. */
export function describeKept({ baseUrl, credential, pid }: RunningService): string {
  const curl = (path: string) => `  curl -s -H 'Authorization: Bearer ${credential}' '${baseUrl}${path}'`;
  return [
    `The service goes on (process ${pid}). Ctrl-C stops it and removes its store.`,
    '',
    ...[
      '/status',
      '/incidents?category=campaign',
      '/alerts?limit=3',
      '/events?limit=2&severity=critical',
    ].map(curl),
    '',
    `  ${baseUrl}/docs`,
    '',
  ].join('\n');
}
