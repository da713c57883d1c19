import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/index.ts';
import { type HealthHour, healthQuery } from './webhook-queries.ts';
import classes from './webhooks.module.css';

const HEIGHT = 20;

/** The deliveries of the last 24 hours, one bar per hour, with what failed at the foot of each bar. */
export function HealthStrip({ id, isLarge = false }: { readonly id: string; readonly isLarge?: boolean }) {
  const client = useClient();
  const { data } = useQuery(healthQuery(client, id));
  if (!data) return <span className={classes.quiet}>…</span>;
  const total = sumOf(data, 'total');
  const failed = sumOf(data, 'failed');
  if (total === 0) return <span className={classes.quiet}>No deliveries in 24 h</span>;
  const words =
    failed === 0
      ? `${total.toLocaleString()}, none failed`
      : `${failed.toLocaleString()} of ${total.toLocaleString()} failed`;
  return (
    <span className={classes.health} data-large={isLarge || undefined}>
      <svg viewBox={`0 0 ${data.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {data.map((hour, index) => (
          <Bar key={hour.startMs} hour={hour} index={index} max={Math.max(...data.map((one) => one.total))} />
        ))}
      </svg>
      <span className={failed === 0 ? classes.quiet : classes.bad}>{words}</span>
    </span>
  );
}

function Bar({
  hour,
  index,
  max,
}: {
  readonly hour: HealthHour;
  readonly index: number;
  readonly max: number;
}) {
  // A single failure among thousands of deliveries still has a mark that can be seen.
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (HEIGHT * count) / max));
  const total = heightOf(hour.total);
  const failed = Math.min(total, heightOf(hour.failed));
  return (
    <>
      <rect className={classes.track} x={index + 0.1} y={HEIGHT - 1} width={0.8} height={1} />
      <rect className={classes.delivered} x={index + 0.1} y={HEIGHT - total} width={0.8} height={total} />
      <rect className={classes.failed} x={index + 0.1} y={HEIGHT - failed} width={0.8} height={failed} />
    </>
  );
}

function sumOf(hours: readonly HealthHour[], name: 'total' | 'failed'): number {
  return hours.reduce((sum, hour) => sum + hour[name], 0);
}
