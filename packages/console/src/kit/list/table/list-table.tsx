import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useMemo,
  useState,
} from 'react';
import type { ColumnDefinition, ListDefinition } from '../list-definition.ts';
import type { CellAct } from './cell-acts.ts';
import { CellMenu } from './cell-menu.tsx';
import { GridPart } from './grid-part.ts';
import { ListRow } from './list-row.tsx';
import classes from './list-table.module.css';
import type { PlacedRow } from './row-slots.ts';
import { TableHead } from './table-head.tsx';
import { type Columns, fittingColumns } from './use-columns.ts';
import type { Cursor } from './use-cursor.ts';
import { useFocusOnMove } from './use-focus-on-move.ts';
import { useKeptPosition } from './use-kept-position.ts';
import { useLayout } from './use-layout.ts';
import { toElementId } from './use-row-slots.ts';
import { useVisibleRows } from './use-visible-rows.ts';

/** The width of the column of checkboxes. */
const CHECK_PX = 36;

export interface ListTableProps<Item> {
  readonly list: Pick<ListDefinition<Item>, 'idOf' | 'titleOf' | 'noun'>;
  readonly items: readonly Item[];
  readonly columns: Columns<Item>;
  readonly cursor: Cursor;
  /** All that match; undefined while it is not known. */
  readonly total: number | undefined;
  /** Undefined where nothing can be selected. */
  readonly selection?:
    | {
        readonly has: (id: string) => boolean;
        readonly toggle: (index: number, isRange: boolean) => void;
        readonly header: ReactNode;
      }
    | undefined;
  readonly sort?: { readonly value: string | undefined; readonly onSort: (sort: string | undefined) => void };
  readonly openId: string | undefined;
  readonly onOpen: (index: number) => void;
  readonly onCellAct: (act: CellAct, column: ColumnDefinition<Item>, item: Item) => void;
  /** Called with the rows on the screen. */
  readonly onWindow: (first: number, last: number) => void;
  /** Below the last row. */
  readonly footer?: ReactNode;
}

/** The rows of a list as a grid: only those on the screen are in the document. */
export function ListTable<Item>(props: ListTableProps<Item>) {
  const { list, items, cursor, selection, onWindow } = props;
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const { layout, rowHeight, widthPx } = useLayout(scroller);
  const isBesideItem = props.openId !== undefined && layout === 'rows';
  const columns = useMemo(
    () => fittingColumns(props.columns, isBesideItem ? widthPx - CHECK_PX : undefined),
    [props.columns, isBesideItem, widthPx],
  );
  const { rows, heightPx } = useVisibleRows({
    ...{ scroller, rowHeight, onWindow },
    count: items.length,
    idAt: (index) => list.idOf(items[index] as Item),
    active: cursor.index,
  });
  useKeptPosition({ scroller, items, idOf: list.idOf, rowHeight });
  useFocusOnMove(cursor, scroller, rowHeight);
  const hasCheckbox = selection !== undefined;
  return (
    <div ref={setScroller} className={classes.scroller} data-layout={layout} data-list-scroller>
      <GridPart
        role="grid"
        aria-label={list.noun.many}
        aria-rowcount={(props.total ?? items.length) + 1}
        aria-colcount={columns.shown.length + (hasCheckbox ? 1 : 0)}
        aria-multiselectable={hasCheckbox}
        className={classes.grid}
        style={gridStyle(columns, hasCheckbox, rowHeight)}
        onClick={(event) => onClick(event, props)}
        onKeyDown={(event) => onKeyDown(event, cursor)}
        onFocus={(event) => {
          const at = placeOf(event.target, columns);
          if (at) cursor.focus(at.index, at.column);
        }}
      >
        <TableHead columns={columns} selectAll={selection?.header} sort={props.sort} />
        <GridPart
          role="rowgroup"
          className={classes.body}
          style={{ height: heightPx }}
          aria-owns={toOwned(rows)}
        >
          {rows.map(({ index, slot }) => {
            const item = items[index] as Item;
            return (
              <ListRow
                key={slot}
                elementId={toElementId(slot)}
                list={list}
                item={item}
                index={index}
                top={index * rowHeight}
                columns={columns.definitions}
                hasCheckbox={hasCheckbox}
                isSelected={selection?.has(list.idOf(item)) ?? false}
                isOpen={props.openId === list.idOf(item)}
                activeColumn={activeColumnOf(cursor, index)}
                isActive={cursor.index === index}
              />
            );
          })}
          {layout === 'rows' && (
            <CellMenu grid={scroller} items={items} columns={columns.definitions} onAct={props.onCellAct} />
          )}
        </GridPart>
      </GridPart>
      {props.footer}
    </div>
  );
}

/** Tab enters the grid at the cursor; before there is one, at the first row. */
function activeColumnOf({ index, column }: Cursor, row: number): number | undefined {
  return Math.max(0, index) === row ? column : undefined;
}

/** Returns the widths of the columns as variables, so that a change of width renders no row. */
function gridStyle<Item>({ shown }: Columns<Item>, hasCheckbox: boolean, rowHeight: number): CSSProperties {
  const tracks = shown.map(({ width, definition }) =>
    definition.grows ? `minmax(${width}px, 1fr)` : `${width}px`,
  );
  const width = shown.reduce((sum, column) => sum + column.width, hasCheckbox ? CHECK_PX : 0);
  return {
    '--list-columns': [...(hasCheckbox ? [`${CHECK_PX}px`] : []), ...tracks].join(' '),
    '--list-width': `${width}px`,
    '--list-row': `${rowHeight}px`,
  } as CSSProperties;
}

/** Returns the ids of the rows in the order in which they are read: their elements stay where they are. */
function toOwned(rows: readonly PlacedRow[]): string {
  return [...rows]
    .sort((one, other) => one.index - other.index)
    .map(({ slot }) => toElementId(slot))
    .join(' ');
}

function placeOf<Item>(target: EventTarget, columns: Columns<Item>) {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  if (!row) return undefined;
  const id = (target as Element).closest<HTMLElement>('[data-column]')?.dataset.column;
  const column = columns.definitions.findIndex((one) => one.id === id);
  return { index: Number(row.dataset.index), column: column < 0 ? undefined : column };
}

function onClick<Item>(event: MouseEvent, { columns, selection, onOpen, cursor }: ListTableProps<Item>) {
  const at = placeOf(event.target, columns);
  const target = event.target as Element;
  if (!at) return;
  const isCheckbox = target.closest(`.${classes.check}`) !== null;
  if (target.closest('a, button, label') !== null) return;
  cursor.focus(at.index, at.column);
  if (selection && (event.shiftKey || isCheckbox)) {
    selection.toggle(at.index, event.shiftKey);
    if (event.shiftKey) getSelection()?.removeAllRanges();
    return;
  }
  if (getSelection()?.toString()) return;
  onOpen(at.index);
}

const PAGE_ROWS = 20;

const STEPS: Readonly<Record<string, (cursor: Cursor) => void>> = {
  ArrowDown: (cursor) => cursor.move(1),
  ArrowUp: (cursor) => cursor.move(-1),
  ArrowRight: (cursor) => cursor.moveColumn(1),
  ArrowLeft: (cursor) => cursor.moveColumn(-1),
  PageDown: (cursor) => cursor.move(PAGE_ROWS),
  PageUp: (cursor) => cursor.move(-PAGE_ROWS),
  Home: (cursor) => cursor.moveColumn(-Infinity),
  End: (cursor) => cursor.moveColumn(Infinity),
  'Ctrl+Home': (cursor) => cursor.move(-Infinity),
  'Ctrl+End': (cursor) => cursor.move(Infinity),
};

function onKeyDown(event: KeyboardEvent, cursor: Cursor) {
  if (!(event.target as Element).matches('[role=gridcell], [role=row]')) return;
  if (event.altKey || event.metaKey || event.shiftKey) return;
  const step = STEPS[event.ctrlKey ? `Ctrl+${event.key}` : event.key];
  if (!step) return;
  event.preventDefault();
  step(cursor);
}
