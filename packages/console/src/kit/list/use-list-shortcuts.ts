import { useShortcuts } from '../keyboard/index.ts';
import type { ListModel } from './use-list.ts';

/** Adds the keys that act on every list. */
export function useListShortcuts<Item>(
  { list, address, cursor, selection, open }: ListModel<Item>,
  group: string,
) {
  const atRow = (act: (index: number) => void) => () => {
    if (cursor.index < 0) return false;
    act(cursor.index);
    return true;
  };
  useShortcuts([
    { keys: 'j', label: `Next ${list.noun.one}`, group, run: () => cursor.move(1) },
    { keys: 'k', label: `Previous ${list.noun.one}`, group, run: () => cursor.move(-1) },
    { keys: 'Enter', label: 'Open', group, run: atRow(open) },
    { keys: 'x', label: 'Select', group, run: atRow((index) => selection.toggle(index, false)) },
    { keys: 'Shift+x', label: 'Select a range', group, run: atRow((index) => selection.toggle(index, true)) },
    {
      keys: 'Escape',
      label: 'Close, or clear the selection',
      group,
      run: () => {
        if (address.open !== undefined) address.set({ open: undefined });
        else if (selection.count > 0) selection.clear();
        else return false;
        return true;
      },
    },
  ]);
}
