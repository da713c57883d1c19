import classes from './id-link.module.css';
import { pageOfId } from './id-pages.ts';
import { PageLink } from './page-link.tsx';

/** An id, as a link to the page of its object. `children` replaces the id by a name. */
export function IdLink({ id, children }: { readonly id: string; readonly children?: string }) {
  const to = pageOfId(id);
  const text = children ?? id;
  if (to === undefined) return <span className={classes.id}>{text}</span>;
  return (
    <PageLink to={to} className={children === undefined ? classes.id : classes.name} title={id}>
      {text}
    </PageLink>
  );
}
