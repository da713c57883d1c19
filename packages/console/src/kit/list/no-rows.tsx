import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/index.ts';
import { EmptyState } from '../states/empty-state.tsx';
import type { ListDefinition, ListQuery } from './list-definition.ts';
import classes from './list-page.module.css';
import { ListError } from './states/list-error.tsx';
import { ListSkeleton } from './states/list-skeleton.tsx';
import type { ListModel } from './use-list.ts';

/** In place of the rows: what is on its way, what failed, or why there is nothing. */
export function NoRows<Item>({ model }: { readonly model: ListModel<Item> }) {
  const { list, address, data } = model;
  const isHiding = isOnlyHiding(list, address.filters);
  const isFirstRun = useIsFirstRun(list, isHiding && !data.isLoading && !data.error);
  if (data.isLoading || isFirstRun === undefined) return <ListSkeleton noun={list.noun.many} />;
  if (data.error) return <ListError error={data.error} retry={data.retry} />;
  if (Object.keys(address.filters).length === 0 || isFirstRun) {
    return <div className={classes.empty}>{list.empty}</div>;
  }
  return (
    <div className={classes.empty}>
      <EmptyState title={`No ${list.noun.many} match these filters.`}>
        <Button variant="default" size="xs" onClick={() => address.setFilters(nothing(address.filters))}>
          Clear the filters
        </Button>
      </EmptyState>
    </div>
  );
}

/** Whether the only filters are those that the list sets by default, which a newcomer has not chosen. */
function isOnlyHiding<Item>({ hiddenByDefault = {} }: ListDefinition<Item>, filters: ListQuery): boolean {
  const names = Object.keys(filters);
  return names.length > 0 && names.every((name) => filters[name] === hiddenByDefault[name]);
}

/** Returns whether the list has nothing at all, also nothing that it hides by default; undefined while that is read. */
function useIsFirstRun<Item>(list: ListDefinition<Item>, isAsked: boolean): boolean | undefined {
  const client = useClient();
  const first = useQuery({
    queryKey: [list.queryKey, 'any'],
    queryFn: async ({ signal }) => {
      const { data } = await list.read(client, {}, { cursor: null, limit: 1, signal });
      return data.length > 0;
    },
    enabled: isAsked,
  });
  if (!isAsked || first.isError) return false;
  return first.data === undefined ? undefined : !first.data;
}

function nothing(filters: ListQuery): Readonly<Record<string, undefined>> {
  return Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]));
}
