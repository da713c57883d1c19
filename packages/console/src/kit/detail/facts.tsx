import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface Fact {
  readonly label: string;
  /** Left out when undefined or null. */
  readonly value: ReactNode;
}

/** Names and values of one object, as a description list. */
export function Facts({ items }: { readonly items: readonly Fact[] }) {
  const shown = items.filter(({ value }) => value !== undefined && value !== null && value !== '');
  return (
    <dl className={classes.facts}>
      {shown.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt className={classes.label}>{label}</dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
