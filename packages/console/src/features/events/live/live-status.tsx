import { Button } from '@mantine/core';
import { wordsOfError } from '../../../kit/index.ts';
import classes from './live-status.module.css';
import { canReconnect, type TailSnapshot } from './live-tail.ts';

interface LiveStatusProps {
  readonly snapshot: TailSnapshot;
  readonly onRetry: () => void;
}

/** Whether the list is live, in words: a list that does not move looks the same when nothing happens. */
export function LiveStatus({ snapshot, onRetry }: LiveStatusProps) {
  const { connection, newCount } = snapshot;
  const [state, words] = describe(snapshot);
  return (
    <div className={classes.line} data-live-state={connection}>
      <span className={classes.dot} data-state={state} aria-hidden="true" />
      <span role="status">{words}</span>
      {newCount > 0 && <span className={classes.count}>{newCount.toLocaleString()} new</span>}
      {canReconnect(snapshot) && (
        <Button variant="default" size="compact-xs" onClick={onRetry}>
          Reconnect
        </Button>
      )}
    </div>
  );
}

type State = 'live' | 'held' | 'broken';

function describe({ connection, isPaused, isScrolled, error }: TailSnapshot): [State, string] {
  const reason = error ? ` ${wordsOfError(error).title}` : '';
  if (connection === 'failed') return ['broken', `Disconnected.${reason}`];
  if (connection === 'broken') return ['broken', `Disconnected. Reconnecting; no events are lost.${reason}`];
  if (connection === 'connecting') return ['held', 'Connecting'];
  if (isPaused) return ['held', 'Paused'];
  if (isScrolled) return ['held', 'Paused while you look at older events'];
  return ['live', 'Live'];
}
