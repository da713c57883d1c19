import { useNavigate } from '@tanstack/react-router';
import { pageOfId } from '../values/id-pages.ts';
import { type ListAddress, useListAddress } from './address/use-list-address.ts';
import { type ListData, useListData } from './data/use-list-data.ts';
import type { ListDefinition } from './list-definition.ts';
import { type Selection, useSelection } from './selection/use-selection.ts';
import { type Columns, useColumns } from './table/use-columns.ts';
import { type Cursor, useCursor } from './table/use-cursor.ts';

/** Below this width an item opens as its page: there is no room beside the list. */
const NARROW = '(max-width: 62em)';

/** A list with its state, for the parts of its page. */
export interface ListModel<Item> {
  readonly list: ListDefinition<Item>;
  readonly address: ListAddress;
  readonly data: ListData<Item>;
  readonly columns: Columns<Item>;
  readonly cursor: Cursor;
  readonly selection: Selection;
  /** Opens the item of a row: beside the list, or its page. */
  readonly open: (index: number) => void;
  /** Closes the item beside the list. The focus returns to its row. */
  readonly close: () => void;
  /** Moves the cursor by rows; an open item is replaced by the next one. */
  readonly step: (rows: number) => void;
}

/** Creates the state of a list from its definition and the address. `live` replaces what the list reads by itself. */
export function useList<Item>(list: ListDefinition<Item>, live: ListData<Item> | undefined): ListModel<Item> {
  const address = useListAddress(list);
  const read = useListData(list, address.query, live === undefined);
  const data = live ?? read;
  const columns = useColumns(list, address.columns);
  const cursor = useCursor(data.items, list.idOf, columns.definitions.length);
  const selection = useSelection(data.items, list.idOf, address.query);
  const navigate = useNavigate();
  const open = (index: number) => {
    const item = data.items[index];
    if (item === undefined) return;
    const path = pathOf(list, item);
    if (list.detail && !(matchMedia(NARROW).matches && path !== undefined)) {
      address.set({ open: list.idOf(item) }, { push: address.open === undefined });
    } else if (path !== undefined) {
      navigate({ to: path });
    }
  };
  return {
    list,
    address,
    data,
    columns,
    cursor,
    selection,
    open,
    close: () => {
      address.set({ open: undefined });
      if (cursor.index >= 0) cursor.takeFocus();
    },
    step: (rows) => {
      const isOpen = address.open !== undefined;
      const item = data.items[cursor.move(rows, !isOpen)];
      if (isOpen && item !== undefined) address.set({ open: list.idOf(item) });
    },
  };
}

/** Returns the path of the page of an item. */
export function pathOf<Item>(list: ListDefinition<Item>, item: Item): string | undefined {
  return list.pathOf ? list.pathOf(item) : pageOfId(list.idOf(item));
}
