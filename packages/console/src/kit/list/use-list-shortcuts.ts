import { useCan } from '../../session/index.ts';
import type { Shortcut } from '../keyboard/index.ts';
import { useShortcuts } from '../keyboard/index.ts';
import { usable } from './bulk/bulk-bar.tsx';
import type { Bulk } from './bulk/use-bulk.ts';
import type { BulkAction, BulkTarget } from './list-definition.ts';
import { targetOf } from './selection/use-selection.ts';
import { actOnCell, type CellAct } from './table/cell-acts.ts';
import type { ListModel } from './use-list.ts';

/** Adds the keys that act on every list. */
export function useListShortcuts<Item>(model: ListModel<Item>, bulk: Bulk<Item>, group: string) {
  const { list, address, data, columns, cursor, selection } = model;
  const can = useCan();
  const inCell = (act: CellAct) => () => {
    const item = data.items[cursor.current()];
    const column = columns.definitions[cursor.column];
    return item !== undefined && column !== undefined && actOnCell(act, { column, item, address });
  };
  const atRow = (act: (index: number) => void) => () => {
    const index = cursor.current();
    if (data.items[index] === undefined) return false;
    act(index);
    return true;
  };
  const inList: Shortcut[] = [
    { keys: 'j', label: `Next ${list.noun.one}`, group, run: () => model.step(1) },
    { keys: 'k', label: `Previous ${list.noun.one}`, group, run: () => model.step(-1) },
    { keys: 'Enter', label: `Open the ${list.noun.one}`, group, run: atRow(model.open) },
    { keys: 'f', label: 'Show only this value', group, run: inCell('in') },
    { keys: 'Shift+f', label: 'Leave out this value', group, run: inCell('out') },
    { keys: 'c', label: 'Copy this value', group, run: inCell('copy') },
    { keys: 'Escape', label: 'Close, or clear the selection', group, run: () => closeOrClear(model) },
  ];
  const actions = usable(list.bulk, can);
  const inSelection: Shortcut[] = [
    { keys: 'x', label: 'Select', group, run: atRow((index) => selection.toggle(index, false)) },
    {
      keys: 'Shift+x',
      label: 'Select the rows since the last selected one',
      group,
      run: atRow((index) => selection.toggle(index, true)),
    },
    ...(bulk.undo ? [{ keys: 'z', label: 'Undo the last change', group, run: bulk.undo }] : []),
    ...actions.flatMap((action): Shortcut[] => {
      if (action.key === undefined) return [];
      const run = () => beginAction({ action, model, bulk });
      return [{ keys: action.key, label: action.label.replace('…', ''), group, run }];
    }),
  ];
  useShortcuts(actions.length > 0 ? [...inList, ...inSelection] : inList);
}

function closeOrClear<Item>({ address, selection, close }: ListModel<Item>): boolean {
  if (address.open !== undefined) close();
  else if (selection.count > 0) selection.clear();
  else return false;
  return true;
}

interface Begin<Item> {
  readonly action: BulkAction<Item>;
  readonly model: ListModel<Item>;
  readonly bulk: Bulk<Item>;
}

/** Begins an action on the selection, or else on the open item or the one at the cursor. */
function beginAction<Item>({ action, model, bulk }: Begin<Item>): boolean {
  if (bulk.state) return false;
  const { list, address, data, cursor, selection } = model;
  const selected = targetOf(selection.selected);
  if (selected) {
    bulk.begin(action, selected, selection.isExact ? selection.count : undefined);
    return true;
  }
  const item =
    address.open === undefined
      ? data.items[cursor.current()]
      : data.items.find((one) => list.idOf(one) === address.open);
  if (item === undefined || action.appliesTo?.(item) === false) return false;
  const target: BulkTarget = { ids: [list.idOf(item)] };
  bulk.begin(action, target, 1);
  return true;
}
