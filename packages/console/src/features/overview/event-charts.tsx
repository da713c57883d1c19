import { useNavigate } from '@tanstack/react-router';
import type { Statistics } from '@tps/client';
import { useMemo } from 'react';
import { Facts, Section, ShareBars, TimeChart, toDuration } from '../../kit/index.ts';
import {
  actionSeries,
  deliverySeries,
  deviceChart,
  platformWords,
  seriesOf,
  sharesOf,
  toChart,
  triageSeries,
} from './chart-series.ts';
import classes from './event-charts.module.css';

/** What happened in the chosen range. */
export function EventCharts({ counts, words }: { readonly counts: Statistics; readonly words: string }) {
  const navigate = useNavigate();
  const [events, triage, deliveries, devices] = useMemo(
    () => [
      toChart(counts, actionSeries(counts)),
      toChart(counts, triageSeries(counts)),
      toChart(counts, deliverySeries(counts)),
      deviceChart(counts),
    ],
    [counts],
  );
  const openEvents = (sinceMs: number, untilMs: number) =>
    navigate({
      to: '/events',
      search: {
        received_since: new Date(sinceMs).toISOString(),
        received_until: new Date(untilMs).toISOString(),
      } as never,
    });
  return (
    <div className={classes.charts}>
      <div className={classes.wide}>
        <Section title="Events">
          <TimeChart
            label={`Events in ${words}`}
            kind="bars"
            height={200}
            onSelect={openEvents}
            {...events}
          />
          <p className={classes.hint}>Drag across a range to list its events.</p>
        </Section>
      </div>
      <Section title="Categories">
        <ShareBars
          label={`Events by category in ${words}`}
          shares={sharesOf(counts, 'category', { filter: 'threat_category' })}
        />
      </Section>
      <div className={classes.wide}>
        <Section title="Alerts and incidents">
          <TimeChart label={`Alerts and incidents in ${words}`} kind="lines" {...triage} />
        </Section>
      </div>
      <Section title="Response times">
        <ResponseTimes counts={counts} />
      </Section>
      <div className={classes.wide}>
        <Section title="Deliveries">
          <TimeChart label={`Deliveries in ${words}`} kind="bars" {...deliveries} />
        </Section>
      </div>
      <Section title="Severities">
        <ShareBars
          label={`Events by severity in ${words}`}
          shares={sharesOf(counts, 'severity', { filter: 'severity' })}
        />
      </Section>
      <div className={classes.wide}>
        <Section title="Devices that sent events">
          <TimeChart label={`Devices that sent events in ${words}`} kind="bars" {...devices} />
        </Section>
      </div>
      <Section title="Platforms">
        <ShareBars
          label={`Events by platform in ${words}`}
          shares={sharesOf(counts, 'platform', { words: platformWords })}
        />
      </Section>
    </div>
  );
}

function ResponseTimes({ counts }: { readonly counts: Statistics }) {
  const { time_to_acknowledge: acknowledge, time_to_resolve: resolve } = counts;
  const total = (measure: 'incidents_opened' | 'incidents_resolved' | 'scans') =>
    (seriesOf(counts, measure).total ?? 0).toLocaleString();
  return (
    <Facts
      items={[
        { label: 'Opened', value: `${total('incidents_opened')} incidents` },
        { label: 'Resolved', value: `${total('incidents_resolved')} incidents` },
        { label: 'Time to acknowledge', value: toTimes(acknowledge) },
        { label: 'Time to resolve', value: toTimes(resolve) },
        { label: 'Scans', value: total('scans') },
      ]}
    />
  );
}

function toTimes(durations: Statistics['time_to_resolve']): string {
  if (!durations || durations.count === 0) return 'no incidents in this range';
  const words = (seconds: number | null) => toDuration((seconds ?? 0) * 1000) ?? 'a minute';
  return `half within ${words(durations.p50_s)}, 90 % within ${words(durations.p90_s)}`;
}
