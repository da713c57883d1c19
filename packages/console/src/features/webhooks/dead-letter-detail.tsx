import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Client, DeadLetter } from '@tps/client';
import {
  DetailLayout,
  EmptyState,
  Facts,
  IdLink,
  QueryState,
  removed,
  Section,
  Severity,
  Snippet,
  TimeValue,
  useAct,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';

/** Dead letters that are looked through for the open one: the API has no operation that reads a single one. */
const MAX_SEARCHED = 1_000;

/** A dead letter beside the list. */
export function DeadLetterDetail({ id }: { readonly id: string }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['dead-letters', 'one', id],
    queryFn: ({ signal }) => findLetter(client, id, signal),
  });
  return (
    <QueryState query={query}>
      {(letter) =>
        letter === null ? (
          <EmptyState title="This dead letter no longer exists">
            It was delivered or deleted, or its 7 days are over.
          </EmptyState>
        ) : (
          <Letter letter={letter} />
        )
      }
    </QueryState>
  );
}

async function findLetter(client: Client, id: string, signal: AbortSignal): Promise<DeadLetter | null> {
  let searched = 0;
  for await (const letter of client.webhooks.deadLetters.list({ signal })) {
    if (letter.entry_id === id) return letter;
    searched += 1;
    if (searched === MAX_SEARCHED) break;
  }
  return null;
}

function Letter({ letter }: { readonly letter: DeadLetter }) {
  const mayChange = useCan()('webhooks:write');
  const { entry_id: id, event } = letter;
  const changes = [['dead-letters'], ['webhooks', letter.webhook_id]];
  const replay = useAct({
    run: (client) => client.webhooks.deadLetters.replay({ entry_id: id }),
    changes,
    done: 'The service delivers it again. It leaves this list when the receiver accepts it.',
  });
  const remove = useAct({
    run: (client) => removed(client.webhooks.deadLetters.remove({ entry_id: id })),
    changes,
    done: 'Dead letter deleted',
  });
  return (
    <DetailLayout
      id={id}
      title={letter.last_error}
      marks={<Severity value={event.severity} />}
      actions={
        mayChange && (
          <>
            <Button size="xs" loading={replay.isPending} onClick={() => replay.mutate()}>
              Replay
            </Button>
            <Button size="xs" variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Button>
          </>
        )
      }
    >
      <Section title="Delivery">
        <Facts
          items={[
            { label: 'Webhook', value: <IdLink id={letter.webhook_id} /> },
            { label: 'Event', value: <IdLink id={letter.event_id} /> },
            { label: 'Status code', value: letter.last_status ?? 'No response' },
            { label: 'Attempts', value: letter.attempts },
            { label: 'Failed', value: <TimeValue value={letter.failed_at} format="full" /> },
            { label: 'Kept until', value: <TimeValue value={letter.expires_at} format="full" /> },
          ]}
        />
      </Section>
      <Section title="What is sent">
        <Snippet label="Event" code={JSON.stringify(event, null, 2)} />
      </Section>
    </DetailLayout>
  );
}
