import type { Client, DeadLetter, DeadLetterBulk } from '@tps/client';
import {
  type BulkChange,
  bulkAction,
  column,
  EmptyState,
  type ListDefinition,
  ListPage,
} from '../../kit/index.ts';
import { DeadLetterDetail } from './dead-letter-detail.tsx';

const DEAD_LETTERS: ListDefinition<DeadLetter> = {
  noun: { one: 'dead letter', many: 'dead letters' },
  queryKey: 'dead-letters',
  read: (client, query, page) => client.webhooks.deadLetters.list({ ...query, ...page }).page(),
  count: (client, query, options) => client.webhooks.deadLetters.counts({ ...query, ...options }),
  idOf: ({ entry_id }) => entry_id,
  titleOf: ({ event_id, last_error }) => `${event_id}: ${last_error}`,
  pathOf: () => undefined,
  columns: [
    column.text({ id: 'last_error', header: 'Why it failed', width: 220, grows: true, onCard: 'title' }),
    column.severity({
      id: 'severity',
      from: ({ event }) => event.severity,
      header: 'Severity',
      width: 104,
      onCard: 'mark',
    }),
    column.time({ id: 'failed_at', header: 'Failed', width: 120, onCard: 'line' }),
    column.id({ id: 'webhook_id', header: 'Webhook', filter: 'webhook_id', width: 270 }),
    column.id({ id: 'event_id', header: 'Event', filter: 'event_id', width: 190, onCard: 'line' }),
    {
      id: 'last_status',
      header: 'Response',
      value: (letter) => (letter.last_status === null ? '' : String(letter.last_status)),
      cell: (letter) => letter.last_status ?? 'None',
      width: 80,
    },
    column.count({ id: 'attempts', header: 'Attempts', width: 88 }),
    column.time({ id: 'expires_at', header: 'Kept until', width: 120, hiddenByDefault: true }),
  ],
  filters: [
    { name: 'webhook_id', label: 'Webhook', kind: 'id', placeholder: 'whk_…' },
    { name: 'event_id', label: 'Event', kind: 'id', placeholder: 'evt_…' },
    { name: 'since', label: 'Failed', kind: 'time-range' },
  ],
  bulk: [
    bulkAction<DeadLetter>({
      id: 'replay',
      label: 'Replay',
      scope: 'webhooks:write',
      key: 'e',
      run: (client, change) => changeLetters(client, 'replay', change),
      done: { one: 'dead letter is delivered again', many: 'dead letters are delivered again' },
    }),
    bulkAction<DeadLetter>({
      id: 'delete',
      label: 'Delete',
      scope: 'webhooks:write',
      isDangerous: true,
      run: (client, change) => changeLetters(client, 'delete', change),
      done: { one: 'dead letter deleted', many: 'dead letters deleted' },
    }),
  ],
  detail: (id) => <DeadLetterDetail id={id} />,
  empty: (
    <EmptyState title="No dead letters">
      Every delivery of the last 7 days was accepted, or is still being retried. A delivery that fails three
      times appears here. You can replay it when the receiver works again.
    </EmptyState>
  ),
};

/** Replays or deletes one chunk of dead letters. */
function changeLetters(
  client: Client,
  action: DeadLetterBulk['change']['action'],
  { target, cursor, signal }: BulkChange<undefined>,
) {
  const which = 'ids' in target ? { ids: [...target.ids] } : target;
  const request = { ...which, ...(cursor !== null && { cursor }), change: { action } };
  return client.webhooks.deadLetters.bulk(request, { signal });
}

export function DeadLettersPage() {
  return (
    <ListPage
      definition={DEAD_LETTERS}
      title="Dead letters"
      description="Deliveries whose attempts all failed. Each is kept for 7 days after its last failure."
    />
  );
}
