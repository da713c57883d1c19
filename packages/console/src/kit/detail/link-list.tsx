import type { ReactNode } from 'react';
import classes from './link-list.module.css';

/** Objects below each other: each `li` has a link to one, and `Marks`. */
export function LinkList({ children }: { readonly children: ReactNode }) {
  return <ul className={classes.list}>{children}</ul>;
}

/** Severity, status, time and the like, below the link to an object. */
export function Marks({ children }: { readonly children: ReactNode }) {
  return <span className={classes.marks}>{children}</span>;
}
