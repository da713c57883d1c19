import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
} from 'react';
import type { ListDefinition } from '../list-definition.ts';
import { GridPart } from './grid-part.ts';
import { ListRow } from './list-row.tsx';
import classes from './list-table.module.css';
import { TableHead } from './table-head.tsx';
import type { Columns } from './use-columns.ts';
import type { Cursor } from './use-cursor.ts';

const ROW_REM = 2;
const OVERSCAN = 12;

interface ListTableProps<Item> {
  readonly list: ListDefinition<Item>;
  readonly items: readonly Item[];
  readonly columns: Columns<Item>;
  readonly cursor: Cursor;
  /** All that match, as far as it is known. */
  readonly total: number | undefined;
  /** Undefined where nothing can be selected. */
  readonly selection?: {
    readonly has: (id: string) => boolean;
    readonly toggle: (index: number, isRange: boolean) => void;
    readonly header: ReactNode;
  };
  readonly openId: string | undefined;
  readonly onOpen: (index: number) => void;
  /** Called with the rows on the screen. */
  readonly onWindow: (first: number, last: number) => void;
}

/** The rows of a list as a grid: only those on the screen are in the document. */
export function ListTable<Item>(props: ListTableProps<Item>) {
  const { list, items, columns, cursor, selection, onWindow } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = ROW_REM * rootFontSize();
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    getItemKey: (index) => list.idOf(items[index] as Item),
    paddingStart: 0,
    scrollPaddingStart: 2 * rootFontSize(),
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) =>
      rangeWith(startIndex - overscan, endIndex + overscan, count, cursor.index),
  });
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  useEffect(() => onWindow(startIndex, endIndex), [onWindow, startIndex, endIndex]);
  useFocusOnMove(cursor, scroller.current, (index) => virtualizer.scrollToIndex(index, { align: 'auto' }));
  const hasCheckbox = selection !== undefined;
  return (
    <div className={classes.frame} style={{ flex: 1 }}>
      <div ref={scroller} className={classes.scroller}>
        <GridPart
          role="grid"
          aria-label={list.noun.many}
          aria-rowcount={(props.total ?? items.length) + 1}
          aria-multiselectable={hasCheckbox}
          className={classes.grid}
          style={columnStyle(columns, hasCheckbox, rowHeight)}
          onClick={(event) => onClick(event, props)}
          onKeyDown={(event) => onKeyDown(event, props)}
          onFocus={(event) => {
            const at = placeOf(event.target, columns);
            if (at) cursor.focus(at.index, at.column);
          }}
        >
          <TableHead columns={columns} selectAll={selection?.header} />
          <GridPart role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map((row: VirtualItem) => {
              const item = items[row.index] as Item;
              const id = list.idOf(item);
              return (
                <ListRow
                  key={row.key}
                  list={list}
                  item={item}
                  index={row.index}
                  top={row.start}
                  columns={columns.definitions}
                  hasCheckbox={hasCheckbox}
                  isSelected={selection?.has(id) ?? false}
                  isOpen={props.openId === id}
                  activeColumn={cursor.index === row.index ? cursor.column : undefined}
                />
              );
            })}
          </GridPart>
        </GridPart>
      </div>
    </div>
  );
}

function columnStyle<Item>({ shown }: Columns<Item>, hasCheckbox: boolean, rowHeight: number): CSSProperties {
  const tracks = shown.map(({ width, definition }) =>
    definition.grows ? `minmax(${width}px, 1fr)` : `${width}px`,
  );
  const width = shown.reduce((sum, column) => sum + column.width, hasCheckbox ? 36 : 0);
  return {
    '--list-columns': [...(hasCheckbox ? ['36px'] : []), ...tracks].join(' '),
    '--list-width': `${width}px`,
    '--list-row': `${rowHeight}px`,
  } as CSSProperties;
}

/** Returns the rows to keep in the document. The row with the focus stays, wherever the reader scrolls. */
function rangeWith(start: number, end: number, count: number, active: number): number[] {
  const first = Math.max(0, start);
  const last = Math.min(count - 1, end);
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  if (active >= 0 && active < first) return [active, ...rows];
  if (active > last && active < count) return [...rows, active];
  return rows;
}

/** Moves the focus to the cell of the cursor when a key moved it. */
function useFocusOnMove(cursor: Cursor, scroller: HTMLElement | null, scrollTo: (index: number) => void) {
  const { index, column, moves } = cursor;
  const scroll = useRef(scrollTo);
  scroll.current = scrollTo;
  useEffect(() => {
    if (moves === 0) return;
    scroll.current(index);
    const frame = requestAnimationFrame(() => {
      const row = scroller?.querySelector(`[data-index="${index}"]`);
      row?.querySelectorAll<HTMLElement>('[data-column]')[column]?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [moves, index, column, scroller]);
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
  if (!at) return;
  cursor.focus(at.index, at.column);
  if (selection && (event.shiftKey || (event.target as Element).closest(`.${classes.check}`))) {
    selection.toggle(at.index, event.shiftKey);
    if (event.shiftKey) getSelection()?.removeAllRanges();
    return;
  }
  const isPressable = (event.target as Element).closest('a, button, input, label') !== null;
  if (isPressable || getSelection()?.toString()) return;
  onOpen(at.index);
}

const STEPS: Readonly<Record<string, (cursor: Cursor) => void>> = {
  ArrowDown: (cursor) => cursor.move(1),
  ArrowUp: (cursor) => cursor.move(-1),
  ArrowRight: (cursor) => cursor.moveColumn(1),
  ArrowLeft: (cursor) => cursor.moveColumn(-1),
  PageDown: (cursor) => cursor.move(20),
  PageUp: (cursor) => cursor.move(-20),
  Home: (cursor) => cursor.moveColumn(-Infinity),
  End: (cursor) => cursor.moveColumn(Infinity),
};

function onKeyDown<Item>(event: KeyboardEvent, { cursor }: ListTableProps<Item>) {
  if (!(event.target as Element).matches('[role=gridcell], [role=row]')) return;
  const isJump = event.ctrlKey && (event.key === 'Home' || event.key === 'End');
  const step = isJump ? () => cursor.move(event.key === 'Home' ? -Infinity : Infinity) : STEPS[event.key];
  if (!step || (event.ctrlKey && !isJump) || event.altKey || event.metaKey) return;
  event.preventDefault();
  step(cursor);
}

function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
