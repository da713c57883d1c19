import { Button, CloseButton, Progress } from '@mantine/core';
import { useCan } from '../../../session/index.ts';
import { useAct } from '../../acts/use-act.ts';
import { toCount } from '../../values/words.ts';
import type { BulkAction } from '../list-definition.ts';
import { targetOf } from '../selection/use-selection.ts';
import type { ListModel } from '../use-list.ts';
import classes from './bulk-bar.module.css';
import type { Bulk } from './use-bulk.ts';

interface BulkBarProps<Item> {
  readonly model: ListModel<Item>;
  readonly bulk: Bulk<Item>;
}

/** What can be done with the selection. It lies over the end of the list, so that no row moves when it appears. */
export function BulkBar<Item>({ model, bulk }: BulkBarProps<Item>) {
  const { list, selection } = model;
  const can = useCan();
  const target = targetOf(selection.selected);
  if (bulk.state?.step === 'running') return <RunningBar bulk={bulk} state={bulk.state} />;
  if (!target) return null;
  const count = `${selection.isExact ? '' : 'at least '}${toCount(selection.count, list.noun)}`;
  return (
    <div className={classes.bar} role="toolbar" aria-label="Selection">
      <span className={classes.count} role="status">
        {count} selected
      </span>
      <SelectAll model={model} />
      {usable(list.bulk, can).map((action) => (
        <Button
          key={action.id}
          size="compact-sm"
          variant={action.isDangerous ? 'light' : 'default'}
          {...(action.isDangerous && { color: 'red' })}
          leftSection={action.icon}
          onClick={() => bulk.begin(action, target, selection.isExact ? selection.count : undefined)}
        >
          {action.label}
        </Button>
      ))}
      <CloseButton size="sm" aria-label="Clear the selection" onClick={selection.clear} />
    </div>
  );
}

/** Returns the actions that the role allows. */
export function usable<Item>(
  actions: readonly BulkAction<Item>[] | undefined,
  can: (scope: string) => boolean,
): readonly BulkAction<Item>[] {
  return (actions ?? []).filter(({ scope }) => can(scope));
}

/** Offers to select all that match, once all that are loaded are selected and there may be more. */
function SelectAll<Item>({ model }: { readonly model: ListModel<Item> }) {
  const { list, address, data, selection } = model;
  const isOffered =
    list.count !== undefined &&
    selection.selected.kind === 'ids' &&
    data.hasMore &&
    selection.count >= data.items.length;
  const count = useAct({
    run: async (client) => {
      // What arrives from now on is not part of it: the same bound counts the items and changes them.
      const now = new Date().toISOString();
      const until =
        address.query.until !== undefined && address.query.until < now ? address.query.until : now;
      const filter = withoutSort({ ...address.query, until });
      const counts = await list.count?.(client, filter, { signal: new AbortController().signal });
      const { query } = address;
      return counts && { query, filter, count: counts.total, isComplete: counts.complete };
    },
    changes: [],
    onDone: (all) => {
      // The reader may have changed the filters meanwhile.
      if (all?.query !== address.query) return;
      const { query: _query, ...selected } = all;
      selection.selectAll({ kind: 'all', ...selected });
    },
  });
  if (!isOffered) return null;
  return (
    <Button size="compact-sm" variant="subtle" loading={count.isPending} onClick={() => count.mutate()}>
      Select all that match
    </Button>
  );
}

function withoutSort({ sort: _sort, ...filter }: Readonly<Record<string, string>>) {
  return filter;
}

interface RunningBarProps<Item> {
  readonly bulk: Bulk<Item>;
  readonly state: Extract<NonNullable<Bulk<Item>['state']>, { step: 'running' }>;
}

function RunningBar<Item>({ bulk, state: { action, count, done } }: RunningBarProps<Item>) {
  const of = count === undefined ? '' : ` of ${count.toLocaleString()}`;
  return (
    <div className={classes.bar} role="status">
      <span className={classes.count}>
        {action.label.replace('…', '')}: {done.toLocaleString()}
        {of}
      </span>
      <Progress
        className={classes.progress}
        value={count ? (100 * done) / count : 100}
        animated={count === undefined}
        aria-label="Progress"
      />
      <Button size="compact-sm" variant="default" onClick={bulk.cancel}>
        Stop
      </Button>
    </div>
  );
}
