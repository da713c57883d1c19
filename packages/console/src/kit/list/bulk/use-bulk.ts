import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useClient } from '../../../session/index.ts';
import { leadThroughSignIn } from '../../acts/lead-through-sign-in.ts';
import { wordsOfError } from '../../states/error-words.ts';
import type { BulkAction, BulkTarget, ListDefinition } from '../list-definition.ts';
import { BulkInterruptedError, type BulkOutcome, runBulk } from './run-bulk.ts';
import { useUndo } from './use-undo.ts';

/** A bulk action on its way: it asks for what it needs, runs, or has items that it could not change. */
type BulkState<Item> =
  | {
      readonly step: 'form';
      readonly action: BulkAction<Item>;
      readonly target: BulkTarget;
      readonly count: number | undefined;
    }
  | {
      readonly step: 'running';
      readonly action: BulkAction<Item>;
      readonly count: number | undefined;
      readonly done: number;
    }
  | { readonly step: 'failed'; readonly action: BulkAction<Item>; readonly outcome: BulkOutcome };

export interface Bulk<Item> {
  readonly state: BulkState<Item> | undefined;
  /** Begins an action: with its form, or at once. */
  readonly begin: (action: BulkAction<Item>, target: BulkTarget, count: number | undefined) => void;
  readonly submit: (input: unknown) => void;
  /** Takes back the last change, for 10 s after it. Undefined when there is nothing to take back. */
  readonly undo: (() => void) | undefined;
  /** Closes the form or the report, or stops after the current chunk. */
  readonly cancel: () => void;
}

/** Runs bulk actions, shows their progress, and offers to undo them. */
export function useBulk<Item>(list: ListDefinition<Item>, onDone: () => void): Bulk<Item> {
  const client = useClient();
  const queries = useQueryClient();
  const [state, setState] = useState<BulkState<Item>>();
  const abort = useRef<AbortController>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: [list.queryKey] });
  const { announce, undo } = useUndo<Item>(refresh);

  const start = async (
    action: BulkAction<Item>,
    target: BulkTarget,
    parts: { count: number | undefined; input: unknown },
  ) => {
    const controller = new AbortController();
    abort.current = controller;
    setState({ step: 'running', action, count: parts.count, done: 0 });
    const outcome = await runBulk({
      action,
      client,
      target,
      input: parts.input,
      signal: controller.signal,
      onProgress: ({ changed, failed }) =>
        setState({ step: 'running', action, count: parts.count, done: changed.length + failed.length }),
    }).catch((error: unknown) => reportInterruption(error, controller.signal));
    setState(outcome.failed.length > 0 ? { step: 'failed', action, outcome } : undefined);
    await refresh();
    if (outcome.changed.length > 0) {
      onDone();
      announce(action, outcome);
    }
  };
  return {
    state,
    undo,
    begin: (action, target, count) => {
      if (action.form) setState({ step: 'form', action, target, count });
      else start(action, target, { count, input: undefined });
    },
    submit: (input) => {
      if (state?.step === 'form') start(state.action, state.target, { count: state.count, input });
    },
    cancel: () => {
      if (state?.step === 'running') abort.current?.abort();
      else setState(undefined);
    },
  };
}

/** Reports why a change ended early, and returns what was done until then. */
function reportInterruption(error: unknown, signal: AbortSignal): BulkOutcome {
  const outcome = error instanceof BulkInterruptedError ? error.outcome : { changed: [], failed: [] };
  if (signal.aborted) return outcome;
  const cause = error instanceof BulkInterruptedError ? error.cause : error;
  if (leadThroughSignIn(cause)) return outcome;
  const { title, message } = wordsOfError(cause instanceof Error ? cause : new Error(String(cause)));
  notifications.show({ title, message, color: 'red', autoClose: false });
  return outcome;
}
