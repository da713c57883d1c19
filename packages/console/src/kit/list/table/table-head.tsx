import { IconArrowDown, IconArrowsSort } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { GridPart } from './grid-part.ts';
import classes from './list-table.module.css';
import type { Columns, ShownColumn } from './use-columns.ts';

interface Sort {
  readonly value: string | undefined;
  readonly onSort: (sort: string | undefined) => void;
}

interface TableHeadProps<Item> {
  readonly columns: Columns<Item>;
  /** In the column of the checkboxes; undefined without one. */
  readonly selectAll: ReactNode | undefined;
  readonly sort: Sort | undefined;
}

/** The names of the columns, which stay at the top. */
export function TableHead<Item>({ columns, selectAll, sort }: TableHeadProps<Item>) {
  return (
    <GridPart role="row" className={classes.head} aria-rowindex={1}>
      {selectAll !== undefined && (
        <GridPart role="columnheader" className={classes.check}>
          {selectAll}
        </GridPart>
      )}
      {columns.shown.map((column) => (
        <HeadCell key={column.definition.id} column={column} sort={sort} />
      ))}
    </GridPart>
  );
}

function HeadCell<Item>({
  column,
  sort,
}: {
  readonly column: ShownColumn<Item>;
  readonly sort: Sort | undefined;
}) {
  const { header, align, sort: order } = column.definition;
  const isSorted = order !== undefined && sort?.value === order;
  return (
    <GridPart
      role="columnheader"
      className={classes.headCell}
      data-align={align}
      aria-sort={order === undefined ? undefined : isSorted ? 'descending' : 'none'}
    >
      {order !== undefined && sort ? (
        <button
          type="button"
          className={classes.sort}
          data-sorted={isSorted || undefined}
          onClick={() => sort.onSort(isSorted ? undefined : order)}
        >
          <span className={classes.name}>{header}</span>
          {isSorted ? (
            <IconArrowDown size={13} aria-hidden="true" />
          ) : (
            <IconArrowsSort size={13} aria-hidden="true" />
          )}
        </button>
      ) : (
        <span className={classes.name}>{header}</span>
      )}
      <span
        className={classes.resizer}
        data-resizing={column.isResizing || undefined}
        aria-hidden="true"
        onMouseDown={column.onResizeStart}
        onTouchStart={column.onResizeStart}
      />
    </GridPart>
  );
}
