import { IdLink } from './id-link.tsx';
import classes from './id-list.module.css';

/** Ids below each other, as links. */
export function IdList({ ids }: { readonly ids: readonly string[] }) {
  return (
    <ul className={classes.ids}>
      {ids.map((id) => (
        <li key={id}>
          <IdLink id={id} />
        </li>
      ))}
    </ul>
  );
}
