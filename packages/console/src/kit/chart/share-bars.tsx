import { PageLink } from '../values/page-link.tsx';
import classes from './share-bars.module.css';

export interface Share {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  /** Where the reader sees what was counted. */
  readonly to?: string | undefined;
  readonly search?: Readonly<Record<string, string>> | undefined;
}

/** Parts of a whole, the largest first: words, count, share, and a bar. */
export function ShareBars({ shares, label }: { readonly shares: readonly Share[]; readonly label: string }) {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const sorted = shares.toSorted((a, b) => b.count - a.count);
  const most = Math.max(1, sorted[0]?.count ?? 0);
  return (
    <ul className={classes.shares} aria-label={label}>
      {sorted.map(({ key, label: words, count, to, search }) => (
        <li key={key} className={classes.share}>
          {to === undefined ? (
            <span>{words}</span>
          ) : (
            <PageLink to={to} search={search}>
              {words}
            </PageLink>
          )}
          <span className={classes.count}>{count.toLocaleString()}</span>
          <span className={classes.percent}>
            {total === 0 ? '' : `${Math.round((count / total) * 100)} %`}
          </span>
          <span className={classes.track} aria-hidden="true">
            <span className={classes.bar} style={{ width: `${(count / most) * 100}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
