import { Button, Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Webhook } from '@tps/client';
import { PageLink, Section, TimeValue, toCount, useAct, useDraft } from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';

const HOUR_MS = 3_600_000;
const SINCE = [
  { value: '1', label: 'the last hour' },
  { value: '6', label: 'the last 6 hours' },
  { value: '24', label: 'the last 24 hours' },
  { value: '72', label: 'the last 3 days' },
  { value: '167', label: 'the last 7 days' },
];

/** What the receiver has missed, and how it gets it. */
export function MissedSection({ webhook }: { readonly webhook: Webhook }) {
  const { webhook_id: id, status } = webhook;
  const client = useClient();
  const mayReplay = useCan()('webhooks:write') && status === 'active';
  const letters = useQuery({
    queryKey: ['dead-letters', 'of', id],
    queryFn: ({ signal }) =>
      client.webhooks.deadLetters.counts({ webhook_id: id, interval: 'minute', signal }),
  });
  const oldest = letters.data?.buckets[0]?.start;
  const total = letters.data?.total ?? 0;
  return (
    <Section title="Missed events">
      {total === 0 ? (
        <Text size="sm">No delivery became a dead letter in the last 7 days.</Text>
      ) : (
        <Text size="sm">
          <PageLink to="/webhooks/dead-letters" search={{ webhook_id: id }}>
            {toCount(total, { one: 'dead letter', many: 'dead letters' })}
          </PageLink>{' '}
          since {oldest && <TimeValue value={oldest} />}. Open the list to replay some of them.
        </Text>
      )}
      {mayReplay && <Recover id={id} />}
    </Section>
  );
}

function Recover({ id }: { readonly id: string }) {
  const draft = useDraft(`recover:${id}`, '24');
  const recover = useAct({
    run: (client) =>
      client.webhooks.recover(id, {
        since: new Date(Date.now() - Number(draft.value) * HOUR_MS).toISOString(),
      }),
    changes: [['webhooks', id], ['dead-letters']],
    done: ({ events }) =>
      `${toCount(events, { one: 'event is', many: 'events are' })} checked. The service is now delivering those that are missing.`,
    onDone: draft.clear,
  });
  return (
    <Group gap="xs" align="flex-end">
      <Select
        label="Deliver everything that was missed in"
        description="Failed deliveries, and events that arrived while the webhook was paused."
        size="xs"
        allowDeselect={false}
        data={SINCE}
        value={draft.value}
        onChange={(hours) => draft.setValue(hours ?? '24')}
      />
      <Button size="xs" variant="default" loading={recover.isPending} onClick={() => recover.mutate()}>
        Deliver missed events
      </Button>
    </Group>
  );
}
