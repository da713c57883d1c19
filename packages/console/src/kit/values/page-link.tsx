import { useRouter } from '@tanstack/react-router';
import { type ComponentProps, type MouseEvent, useContext } from 'react';
import { LinkTabIndex } from './link-tab-index.ts';

interface PageLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'onClick'> {
  /** The path of the page in the tenant, such as `/incidents`. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string>> | undefined;
}

/**
 * A link to a page of the console.
 *
 * A `Link` of the router follows every change of the address: a page has 30, and the row of a list that has one took a quarter
 * longer.
 */
export function PageLink({ to, search = {}, ...anchor }: PageLinkProps) {
  const router = useRouter();
  const tabIndex = useContext(LinkTabIndex);
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to, search } as object);
  };
  return (
    <a
      tabIndex={tabIndex}
      {...anchor}
      href={`${router.basepath}${to}${router.options.stringifySearch(search)}`}
      onClick={open}
    />
  );
}
