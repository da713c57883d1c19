import { Skeleton } from '@mantine/core';
import classes from './list-skeleton.module.css';

const ROWS = Array.from({ length: 14 }, (_, row) => row);

/** The place of the rows while they are read: the same size, so that nothing moves when they come. */
export function ListSkeleton({ noun }: { readonly noun: string }) {
  return (
    <div className={classes.frame} role="status" aria-label={`Loading ${noun}`} aria-busy="true">
      {ROWS.map((row) => (
        <div key={row} className={classes.row}>
          <Skeleton height={10} width={`${8 + ((row * 5) % 4)}%`} radius="xs" />
          <Skeleton height={10} width={`${30 + ((row * 13) % 23)}%`} radius="xs" />
          <Skeleton height={10} width="10%" radius="xs" />
        </div>
      ))}
    </div>
  );
}
