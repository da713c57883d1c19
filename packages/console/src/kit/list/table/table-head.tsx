import type { ReactNode } from 'react';
import { GridPart } from './grid-part.ts';
import classes from './list-table.module.css';
import type { Columns, ShownColumn } from './use-columns.ts';

interface TableHeadProps<Item> {
  readonly columns: Columns<Item>;
  /** In the column of the checkboxes; undefined without one. */
  readonly selectAll: ReactNode | undefined;
}

/** The names of the columns, which stay at the top. */
export function TableHead<Item>({ columns, selectAll }: TableHeadProps<Item>) {
  return (
    <GridPart role="row" className={classes.head} aria-rowindex={1}>
      {selectAll !== undefined && (
        <GridPart role="columnheader" className={classes.check}>
          {selectAll}
        </GridPart>
      )}
      {columns.shown.map((column) => (
        <HeadCell key={column.definition.id} column={column} />
      ))}
    </GridPart>
  );
}

function HeadCell<Item>({ column }: { readonly column: ShownColumn<Item> }) {
  const { header, align } = column.definition;
  return (
    <GridPart role="columnheader" className={classes.headCell} data-align={align}>
      <span className={classes.name}>{header}</span>
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
