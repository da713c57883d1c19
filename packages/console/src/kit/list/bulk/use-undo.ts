import { notifications } from '@mantine/notifications';
import { createElement, useState } from 'react';
import { useClient } from '../../../session/index.ts';
import { wordsOfError } from '../../states/error-words.ts';
import { toCount } from '../../values/words.ts';
import type { BulkAction, BulkResult } from '../list-definition.ts';
import type { BulkOutcome } from './run-bulk.ts';
import { UndoMessage } from './undo-message.tsx';

const UNDO_MS = 10_000;

interface Undo<Item> {
  /** Says what an action did, and offers to take it back. */
  readonly announce: (action: BulkAction<Item>, outcome: BulkOutcome) => void;
  /** Takes back the last change. Undefined when there is nothing to take back. */
  readonly undo: (() => void) | undefined;
}

/** Offers to take back the last bulk change for 10 s, where its action can. */
export function useUndo<Item>(refresh: () => Promise<void>): Undo<Item> {
  const client = useClient();
  const [undoLast, setUndoLast] = useState<() => void>();
  const announce = (action: BulkAction<Item>, { changed }: BulkOutcome) => {
    const id = `bulk-${Date.now()}`;
    const text = toCount(changed.length, action.done);
    const { undo } = action;
    if (!undo) {
      notifications.show({ id, message: text });
      return;
    }
    const onUndo = async () => {
      setUndoLast(undefined);
      notifications.update({ id, message: 'Undoing…', autoClose: false, loading: true });
      try {
        const results = await undo(client, changed, new AbortController().signal);
        notifications.update({ id, loading: false, ...wordsOfUndo(results) });
      } catch (error) {
        const { title, message } = wordsOfError(error as Error);
        notifications.update({ id, title, message, color: 'red', autoClose: false, loading: false });
      }
      await refresh();
    };
    setUndoLast(() => onUndo);
    notifications.show({
      id,
      autoClose: UNDO_MS,
      onClose: () => setUndoLast((now) => (now === onUndo ? undefined : now)),
      message: createElement(UndoMessage, { text, undoMs: UNDO_MS, onUndo }),
    });
  };
  return { announce, undo: undoLast };
}

/** Says what was not undone and why: for most, another person has changed it since. */
function wordsOfUndo(results: readonly BulkResult[]) {
  const refused = results.filter(({ error }) => error !== undefined);
  if (refused.length === 0) return { message: 'Undone.', autoClose: 4_000 };
  const reasons = [...new Set(refused.map(({ error }) => error?.message))].slice(0, 3).join(' ');
  return {
    title: `${refused.length} of ${results.length} not undone`,
    message: reasons,
    color: 'red',
    autoClose: false,
  };
}
