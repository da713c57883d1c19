import type { ColumnDefinition } from '../list-definition.ts';

/** The query member and the value by which an item's cell can be filtered. */
export interface CellFilter {
  readonly name: string;
  readonly value: string;
}

/** Returns by what a cell can be filtered; undefined when it cannot. */
export function filterOfCell<Item>(column: ColumnDefinition<Item>, item: Item): CellFilter | undefined {
  if (column.filter === undefined) return undefined;
  const value = column.filterValue ? column.filterValue(item) : column.value(item);
  return value === undefined || value === '' ? undefined : { name: column.filter, value };
}
