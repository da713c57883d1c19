import { useNavigate } from '@tanstack/react-router';
import { pageOfId } from '../values/id-pages.ts';
import { type ListAddress, useListAddress } from './address/use-list-address.ts';
import { type ListData, useListData } from './data/use-list-data.ts';
import type { ListDefinition } from './list-definition.ts';
import { type Selection, useSelection } from './selection/use-selection.ts';
import { type Columns, useColumns } from './table/use-columns.ts';
import { type Cursor, useCursor } from './table/use-cursor.ts';

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
}

/** Creates the state of a list from its definition and the address. */
export function useList<Item>(list: ListDefinition<Item>): ListModel<Item> {
  const address = useListAddress(list);
  const data = useListData(list, address.query);
  const columns = useColumns(list, address.columns);
  const cursor = useCursor(data.items, list.idOf, columns.definitions.length);
  const selection = useSelection(data.items, list.idOf, address.query);
  const navigate = useNavigate();
  const open = (index: number) => {
    const item = data.items[index];
    if (item === undefined) return;
    const id = list.idOf(item);
    const path = list.pathOf ? list.pathOf(item) : pageOfId(id);
    if (list.detail) address.set({ open: id }, { push: address.open === undefined });
    else if (path !== undefined) navigate({ to: path });
  };
  return { list, address, data, columns, cursor, selection, open };
}
