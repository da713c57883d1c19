import { memo } from 'react';
import { LinkTabIndex } from '../../values/link-tab-index.ts';
import type { ColumnDefinition, ListDefinition } from '../list-definition.ts';
import { GridPart } from './grid-part.ts';
import classes from './list-table.module.css';

interface ListRowProps<Item> {
  readonly list: Pick<ListDefinition<Item>, 'idOf' | 'titleOf'>;
  readonly item: Item;
  readonly index: number;
  readonly elementId: string;
  readonly top: number;
  readonly columns: readonly ColumnDefinition<Item>[];
  readonly hasCheckbox: boolean;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  /** Whether the cursor is on it. */
  readonly isActive: boolean;
  /** The cell at which Tab enters the grid; undefined in all other rows. */
  readonly activeColumn: number | undefined;
}

/** One row. The table handles its events, so that a row is rendered only when its item changes. */
export const ListRow = memo(function ListRow<Item>(props: ListRowProps<Item>) {
  const { list, item, index, columns, activeColumn, isSelected } = props;
  return (
    <GridPart
      role="row"
      id={props.elementId}
      tabIndex={-1}
      className={classes.row}
      style={{ transform: `translateY(${props.top}px)` }}
      data-index={index}
      data-id={list.idOf(item)}
      data-top={props.top}
      data-active={props.isActive || undefined}
      data-open={props.isOpen || undefined}
      aria-rowindex={index + 2}
      aria-selected={props.hasCheckbox ? isSelected : undefined}
    >
      {props.hasCheckbox && (
        <GridPart role="gridcell" tabIndex={-1} className={classes.check} aria-colindex={1}>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isSelected}
            readOnly
            aria-label={`Select ${list.titleOf(item)}`}
          />
        </GridPart>
      )}
      <LinkTabIndex value={activeColumn === undefined ? -1 : undefined}>
        {columns.map((column, position) => (
          <GridPart
            key={column.id}
            role="gridcell"
            aria-colindex={position + 2}
            className={classes.cell}
            data-column={column.id}
            data-align={column.align}
            data-card={column.onCard ?? 'none'}
            tabIndex={activeColumn === position ? 0 : -1}
          >
            {column.cell ? column.cell(item) : column.value(item)}
          </GridPart>
        ))}
      </LinkTabIndex>
    </GridPart>
  );
}) as <Item>(props: ListRowProps<Item>) => React.ReactNode;
