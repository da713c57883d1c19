import { notifications } from '@mantine/notifications';
import type { ListAddress } from '../address/use-list-address.ts';
import { filterIn, filterOut } from '../filters/filter-value.ts';
import type { ColumnDefinition } from '../list-definition.ts';
import { filterOfCell } from './cell-value.ts';

export type CellAct = 'in' | 'out' | 'copy';

/** Returns which acts a cell has. */
export function actsOfCell<Item>(column: ColumnDefinition<Item>, item: Item): readonly CellAct[] {
  const copy = column.value(item) === '' ? [] : (['copy'] as const);
  return filterOfCell(column, item) ? ['in', 'out', ...copy] : copy;
}

/** Filters by the value of a cell, or copies it. Returns false when the cell does not have that act. */
export function actOnCell<Item>(
  act: CellAct,
  { column, item, address }: { column: ColumnDefinition<Item>; item: Item; address: ListAddress },
): boolean {
  if (act === 'copy') return copy(column.value(item));
  const filter = filterOfCell(column, item);
  if (!filter) return false;
  const { name, value } = filter;
  address.setFilters({
    [name]: act === 'in' ? filterIn(value) : filterOut(address.filters[name], value),
  });
  return true;
}

function copy(text: string): boolean {
  if (text === '') return false;
  navigator.clipboard.writeText(text).then(
    () =>
      notifications.show({
        message: `Copied ${text.slice(0, 80)}`,
        autoClose: 1_500,
        withCloseButton: false,
      }),
    () => notifications.show({ message: 'The browser does not allow copying here.', color: 'red' }),
  );
  return true;
}
