import { IconCopy, IconFilter, IconFilterOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ColumnDefinition } from '../list-definition.ts';
import { actsOfCell, type CellAct } from './cell-acts.ts';
import classes from './cell-menu.module.css';

interface CellMenuProps<Item> {
  readonly grid: HTMLElement | null;
  readonly items: readonly Item[];
  readonly columns: readonly ColumnDefinition<Item>[];
  readonly onAct: (act: CellAct, column: ColumnDefinition<Item>, item: Item) => void;
}

interface Place {
  readonly index: number;
  readonly column: string;
  readonly top: number;
  readonly right: number;
}

const ACTS = {
  in: { Icon: IconFilter, label: 'Show only', key: 'f' },
  out: { Icon: IconFilterOff, label: 'Leave out', key: 'F' },
  copy: { Icon: IconCopy, label: 'Copy', key: 'c' },
} as const;

/**
 * The acts on the cell under the pointer. There is one menu for the whole grid: one in each cell would be a thousand buttons.
 * The keyboard has `f`, `F` and `c`, so that its buttons are not in the order of Tab.
 */
export function CellMenu<Item>({ grid, items, columns, onAct }: CellMenuProps<Item>) {
  const [place, setPlace] = useState<Place>();
  useEffect(() => {
    if (!grid) return;
    const onOver = (event: PointerEvent) => {
      if (event.pointerType === 'touch' || !(event.target instanceof Element)) return;
      if (event.target.closest(`.${classes.menu}`)) return;
      setPlace(placeOf(event.target.closest<HTMLElement>('[data-column]')));
    };
    const onLeave = () => setPlace(undefined);
    grid.addEventListener('pointerover', onOver);
    grid.addEventListener('pointerleave', onLeave);
    return () => {
      grid.removeEventListener('pointerover', onOver);
      grid.removeEventListener('pointerleave', onLeave);
    };
  }, [grid]);
  const item = place && items[place.index];
  const column = place && columns.find(({ id }) => id === place.column);
  if (!place || item === undefined || !column) return null;
  const acts = actsOfCell(column, item);
  if (acts.length === 0) return null;
  return (
    <div className={classes.menu} style={{ top: place.top, left: place.right }} aria-hidden="true">
      {acts.map((act) => {
        const { Icon, label, key } = ACTS[act];
        return (
          <button
            key={act}
            type="button"
            tabIndex={-1}
            className={classes.act}
            title={`${label} (${key})`}
            onClick={(event) => {
              event.stopPropagation();
              onAct(act, column, item);
              setPlace(undefined);
            }}
          >
            <Icon size={14} stroke={1.75} />
          </button>
        );
      })}
    </div>
  );
}

function placeOf(cell: HTMLElement | null): Place | undefined {
  const row = cell?.closest<HTMLElement>('[data-index]');
  if (!cell || !row) return undefined;
  const { column = '' } = cell.dataset;
  const top = Number(row.dataset.top);
  return { index: Number(row.dataset.index), column, top, right: cell.offsetLeft + cell.offsetWidth };
}
