import { Button, Checkbox } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { type ComponentProps, lazy, memo, type ReactNode, Suspense, useCallback, useRef } from 'react';
import { useCan } from '../../session/index.ts';
import { loadPart } from '../load-part.ts';
import { PageLayout } from '../page-layout.tsx';
import { BulkBar, usable } from './bulk/bulk-bar.tsx';
import { BulkDialog } from './bulk/bulk-dialog.tsx';
import { type Bulk, useBulk } from './bulk/use-bulk.ts';
import type { ListData } from './data/use-list-data.ts';
import { FilterBar } from './filters/filter-bar.tsx';
import { Flyout } from './flyout/flyout.tsx';
import type { ListDefinition } from './list-definition.ts';
import classes from './list-page.module.css';
import { ListTools } from './list-tools.tsx';
import { NoRows } from './no-rows.tsx';
import { ListError } from './states/list-error.tsx';
import { CountStrip } from './strip/count-strip.tsx';
import { actOnCell } from './table/cell-acts.ts';
import { ListTable } from './table/list-table.tsx';
import { useFrameHeight } from './use-frame-height.ts';
import { type ListModel, pathOf, useList } from './use-list.ts';
import { useListShortcuts } from './use-list-shortcuts.ts';

/** Comes after the rows. */
const ViewsMenu = lazy(() =>
  loadPart(async () => ({ default: (await import('./views/views-menu.tsx')).ViewsMenu })),
) as <Item>(props: ComponentProps<typeof import('./views/views-menu.tsx').ViewsMenu<Item>>) => ReactNode;

/** How many rows before the end the next page is read. */
const READ_AHEAD_ROWS = 60;

interface ListPageProps<Item> {
  readonly definition: ListDefinition<Item>;
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons at the top right: the main act last. */
  readonly actions?: ReactNode;
  /** At the left of the filters, instead of the menu of saved views. */
  readonly views?: ReactNode;
  /** Above the filters: what a page says about its list as a whole. */
  readonly banner?: ReactNode;
  /** Rows from outside, such as a live tail, in place of what the list reads by itself. */
  readonly live?: ListData<Item> | undefined;
}

/** A page that is one list. */
export function ListPage<Item>({ definition, title, live, views, banner, ...head }: ListPageProps<Item>) {
  const model = useList(definition, live);
  const bulk = useBulk(definition, model.selection.clear);
  useListShortcuts(model, bulk, title);
  const { address, columns, data } = model;
  return (
    <PageLayout title={title} {...head}>
      {banner}
      <ListHead list={definition} address={address} columns={columns} title={title} views={views} />
      {data.error && data.items.length > 0 && <ListError error={data.error} retry={data.retry} />}
      <Frame model={model} bulk={bulk} />
      <BulkDialog list={definition} bulk={bulk} />
    </PageLayout>
  );
}

interface ListHeadProps<Item> extends Pick<ListModel<Item>, 'list' | 'address' | 'columns'> {
  readonly title: string;
  readonly views: ReactNode;
}

/** Filters, tools and counts. They are not rendered again when rows arrive, which a reader who scrolls would feel. */
const ListHead = memo(function ListHead<Item>({ list, address, columns, title, views }: ListHeadProps<Item>) {
  return (
    <>
      <FilterBar
        list={list}
        address={address}
        group={title}
        views={
          views ?? (
            <Suspense>
              <ViewsMenu list={list} address={address} />
            </Suspense>
          )
        }
        tools={<ListTools list={list} address={address} columns={columns} />}
      />
      <CountStrip list={list} address={address} />
    </>
  );
}) as <Item>(props: ListHeadProps<Item>) => ReactNode;

interface FrameProps<Item> {
  readonly model: ListModel<Item>;
  readonly bulk: Bulk<Item>;
}

/** The rows, and the open item beside them, in the height that is left of the window. */
function Frame<Item>({ model, bulk }: FrameProps<Item>) {
  const { list, address, data, close, step } = model;
  const frame = useRef<HTMLDivElement>(null);
  const height = useFrameHeight(frame);
  const isOpen = address.open !== undefined && list.detail !== undefined;
  const opened = isOpen ? data.items.find((item) => list.idOf(item) === address.open) : undefined;
  return (
    <div ref={frame} className={classes.frame} data-open={isOpen || undefined} style={{ height }}>
      <div className={classes.rows}>
        {data.newCount > 0 && (
          <Button
            className={classes.pill}
            size="compact-sm"
            radius="xl"
            leftSection={<IconArrowUp size={14} aria-hidden="true" />}
            onClick={data.showNew}
          >
            {data.newCount}
            {data.isNewCountOpen ? '+' : ''} new
          </Button>
        )}
        {data.items.length > 0 ? <Rows model={model} /> : <NoRows model={model} />}
        <BulkBar model={model} bulk={bulk} />
      </div>
      {address.open !== undefined && list.detail && (
        <Flyout
          id={address.open}
          label={opened === undefined ? list.noun.one : list.titleOf(opened)}
          path={opened === undefined ? undefined : pathOf(list, opened)}
          onClose={close}
          onStep={step}
        >
          {list.detail(address.open)}
        </Flyout>
      )}
    </div>
  );
}

function Rows<Item>({ model }: { readonly model: ListModel<Item> }) {
  const { list, address, data, columns, cursor, selection, open } = model;
  const can = useCan();
  const count = data.items.length;
  const { setWindow, loadMore } = data;
  const onWindow = useCallback(
    (first: number, last: number) => {
      setWindow(first, last);
      if (last >= count - READ_AHEAD_ROWS) loadMore();
    },
    [setWindow, loadMore, count],
  );
  const header = (
    <Checkbox
      size="xs"
      aria-label="Select all that are loaded"
      checked={selection.count > 0 && selection.count >= count}
      indeterminate={selection.count > 0 && selection.count < count}
      onChange={selection.toggleLoaded}
    />
  );
  return (
    <ListTable
      list={list}
      items={data.items}
      columns={columns}
      cursor={cursor}
      total={data.hasMore ? undefined : count}
      selection={
        usable(list.bulk, can).length > 0
          ? { has: selection.has, toggle: selection.toggle, header }
          : undefined
      }
      sort={{ value: address.sort, onSort: (sort) => address.set({ sort }) }}
      openId={address.open}
      onOpen={open}
      onCellAct={(act, column, item) => actOnCell(act, { column, item, address })}
      onWindow={onWindow}
      footer={data.isLoadingMore && <div className={classes.more}>Loading more…</div>}
    />
  );
}
