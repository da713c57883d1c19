import { styleText } from 'node:util';
import type { ProtectionStatus } from '@tps/client';
import type { Check } from './check-results.ts';
import { countRefused, type Progress } from './progress.ts';
import type { TriageResults } from './triage-check.ts';
import type { WebhookResults } from './webhook-check.ts';

/** Returns the summary of the run: counts first, then the checks. */
export function describeRun(parts: {
  progress: Progress;
  webhooks: WebhookResults;
  status: ProtectionStatus;
  checks: readonly Check[];
  seconds: number;
}): string {
  const { progress, webhooks, status, checks, seconds } = parts;
  const { alerts, threats, incidents } = progress;
  const { delivered, deadLetters, replayed } = webhooks;
  const categories = countBy([...incidents.values()].map(({ category }) => category));
  const rows: [string, number | string, string][] = [
    ['devices', status.devices.total, `${status.devices.online} online`],
    ['answers', progress.answers.length, `in ${seconds.toFixed(1)} s`],
    ['  accepted', progress.accepted, ''],
    ['  known already', progress.known, 'sent again, stored once'],
    ['  refused', countRefused(progress), [...progress.refused.keys()].sort().join(', ')],
    ['read back by cursor', progress.feed.length, ''],
    ['alerts', alerts.size, `${status.alerts.open} open`],
    ['threats', threats.size, `${status.threats.active} active`],
    ['incidents', incidents.size, [...categories].map(([name, times]) => `${name} ${times}`).join(', ')],
    ['webhook deliveries', delivered, 'each event once'],
    ['  dead letters', deadLetters, replayed ? `"${replayed.last_error}"; one of them replayed` : ''],
    ['protection status', status.status, status.reasons.join('; ')],
  ];
  return [
    '',
    styleText('bold', 'Summary'),
    ...rows.map(([name, value, note]) =>
      `  ${name.padEnd(20)} ${String(value).padStart(8)}  ${note}`.trimEnd(),
    ),
    '',
    styleText('bold', 'Checked'),
    ...checks.map(
      ({ holds, text }) =>
        `  ${holds ? styleText('green', 'ok    ') : styleText(['red', 'bold'], 'WRONG ')} ${text}`,
    ),
    '',
  ].join('\n');
}

/** Returns the report of a triage as the reviewer read it, and the state of the incident. */
export function describeTriage({ incident, report }: TriageResults): string {
  const { status, resolution, timeline } = incident;
  return [
    '',
    styleText('bold', 'Triage report, as the reviewer reads it'),
    '',
    ...report
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`.trimEnd()),
    '',
    styleText(
      'bold',
      `Approved. ${incident.id} is now ${status}${resolution === null ? '' : ` as ${resolution}`}`,
    ),
    `  ${timeline.at(-1)?.message ?? ''}`,
  ].join('\n');
}

export function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].sort(([a, times], [b, others]) => others - times || (a < b ? -1 : 1)));
}
