import type { ProtectionStatus, Statistics } from '@tps/client';
import { PageLink, Sparkline } from '../../kit/index.ts';
import { trendOf } from './chart-series.ts';
import classes from './figures.module.css';
import { UNRESOLVED } from './overview-queries.ts';

interface Figure {
  readonly label: string;
  readonly value: number;
  readonly note: string;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
  readonly trend?: readonly number[] | undefined;
}

/** The figures of this moment. The trends show the chosen range. */
export function Figures({
  status,
  counts,
}: {
  readonly status: ProtectionStatus;
  readonly counts: Statistics | undefined;
}) {
  return (
    <ul className={classes.figures} aria-label="Figures">
      {toFigures(status, counts).map(({ label, value, note, to, search, trend }) => (
        <li key={label} className={classes.figure}>
          <PageLink to={to} search={search} className={classes.label}>
            {label}
          </PageLink>
          <span className={classes.value}>{value.toLocaleString()}</span>
          <span className={classes.note}>{note}</span>
          {trend && <Sparkline values={trend} label={`Trend: ${label}`} />}
        </li>
      ))}
    </ul>
  );
}

function toFigures(status: ProtectionStatus, counts: Statistics | undefined): Figure[] {
  const { devices, threats, alerts, incidents, events, webhooks } = status;
  const trend = (measure: Parameters<typeof trendOf>[1]) => counts && trendOf(counts, measure);
  return [
    {
      label: 'Incidents',
      value: incidents.open + incidents.in_progress + incidents.on_hold,
      note: `${incidents.open} open, ${incidents.in_progress} in progress, ${incidents.on_hold} on hold`,
      to: '/incidents',
      search: { status: UNRESOLVED },
      trend: trend('incidents_opened'),
    },
    {
      label: 'Open alerts',
      value: alerts.open,
      note: 'blocks, and warnings of high severity',
      to: '/alerts',
      search: { status: 'open' },
      trend: trend('alerts'),
    },
    {
      label: 'Active threats',
      value: threats.active,
      note: 'seen recently, unresolved',
      to: '/threats',
      search: { status: 'active' },
    },
    {
      label: 'Events in 24 h',
      value: events.last_24h,
      note: 'of all devices',
      to: '/events',
      search: {},
      trend: trend('events'),
    },
    {
      label: 'Devices online',
      value: devices.online,
      note: `of ${devices.active}; ${devices.stale} stale, ${devices.offline} offline`,
      to: '/devices',
      search: { status: 'active' },
      trend: trend('devices'),
    },
    {
      label: 'Dead letters',
      value: webhooks.dead_letters,
      note: `${webhooks.registered} webhooks, ${webhooks.failing} failing`,
      to: '/webhooks/dead-letters',
      search: {},
      trend: trend('deliveries_dead'),
    },
  ];
}
