import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useContext } from 'react';
import classes from './id-link.module.css';
import { pageOfId } from './id-pages.ts';
import { LinkTabIndex } from './link-tab-index.ts';

/**
 * An id, as a link to the page of its object. `children` replaces the id by a name.
 *
 * A list has one in each row, so that it is a plain link: a `Link` of the router follows every change of the address, which was
 * a quarter of the time in which a row is rendered.
 */
export function IdLink({ id, children }: { readonly id: string; readonly children?: string }) {
  const router = useRouter();
  const tabIndex = useContext(LinkTabIndex);
  const to = pageOfId(id);
  const text = children ?? id;
  if (to === undefined) return <span className={classes.id}>{text}</span>;
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to });
  };
  return (
    <a
      href={`${router.basepath}${to}`}
      className={children === undefined ? classes.id : classes.name}
      title={id}
      tabIndex={tabIndex}
      onClick={open}
    >
      {text}
    </a>
  );
}
