import classes from './sparkline.module.css';

const WIDTH = 96;
const HEIGHT = 24;

/** The course of a count, without axes. `label` says it in words. */
export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...values);
  const step = values.length > 1 ? WIDTH / (values.length - 1) : 0;
  const points = values.map(
    (value, index) =>
      `${(index * step).toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`,
  );
  return (
    <svg className={classes.sparkline} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
