import { Button, Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageLayout } from '../page-layout.tsx';
import { EmptyState } from '../states/empty-state.tsx';
import { ErrorState } from '../states/error-state.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import type { ListDefinition } from './list-definition.ts';
import classes from './list-page.module.css';
import { ListTable } from './table/list-table.tsx';
import { type ListModel, useList } from './use-list.ts';
import { useListShortcuts } from './use-list-shortcuts.ts';

/** How many rows before the end the next page is read. */
const READ_AHEAD_ROWS = 60;

interface ListPageProps<Item> {
  readonly definition: ListDefinition<Item>;
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons at the top right: the main act last. */
  readonly actions?: ReactNode;
  /** At the left of the filters: the menu of saved views. */
  readonly views?: ReactNode;
  /** Above the filters: what a page says about its list as a whole. */
  readonly banner?: ReactNode;
}

/** A page that is one list. */
export function ListPage<Item>({
  definition,
  title,
  description,
  actions,
  views,
  banner,
}: ListPageProps<Item>) {
  const model = useList(definition);
  const { address, data } = model;
  useListShortcuts(model, title);
  return (
    <PageLayout title={title} description={description} actions={actions}>
      {banner}
      <FilterBar list={definition} address={address} views={views} />
      {data.newCount > 0 && (
        <Button variant="light" size="compact-sm" onClick={data.showNew}>
          {data.newCount} new
        </Button>
      )}
      {data.items.length > 0 ? <Rows model={model} /> : <NoRows model={model} />}
    </PageLayout>
  );
}

function Rows<Item>({ model }: { readonly model: ListModel<Item> }) {
  const { list, address, data, columns, cursor, selection, open } = model;
  const count = data.items.length;
  return (
    <div className={classes.split} data-open={address.open !== undefined || undefined}>
      <ListTable
        list={list}
        items={data.items}
        columns={columns}
        cursor={cursor}
        total={data.hasMore ? undefined : count}
        selection={{
          has: selection.has,
          toggle: selection.toggle,
          header: (
            <Checkbox
              size="xs"
              aria-label="Select all that are loaded"
              checked={selection.count > 0 && selection.count >= count}
              indeterminate={selection.count > 0 && selection.count < count}
              onChange={selection.toggleLoaded}
            />
          ),
        }}
        openId={address.open}
        onOpen={open}
        onWindow={(first, last) => {
          data.setWindow(first, last);
          if (last >= count - READ_AHEAD_ROWS) data.loadMore();
        }}
      />
      {address.open !== undefined && list.detail && (
        <aside className={classes.flyout}>{list.detail(address.open)}</aside>
      )}
    </div>
  );
}

function NoRows<Item>({ model }: { readonly model: ListModel<Item> }) {
  const { list, address, data } = model;
  if (data.isLoading) return null;
  if (data.error) return <ErrorState error={data.error} retry={data.retry} />;
  if (Object.keys(address.filters).length === 0) return list.empty;
  return (
    <EmptyState title={`No ${list.noun.many} match these filters.`}>
      <Button variant="default" size="xs" onClick={address.reset}>
        Clear the filters
      </Button>
    </EmptyState>
  );
}
