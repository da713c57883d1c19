import { Button, SegmentedControl, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Delivery, Webhook } from '@tps/client';
import { useState } from 'react';
import { Facts, IdLink, QueryState, Section, Snippet, StatusBadge, TimeValue } from '../../kit/index.ts';
import { useClient } from '../../session/index.ts';
import { type DeliveryChoice, deliveriesQuery } from './webhook-queries.ts';
import classes from './webhooks.module.css';

const CHOICES = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
];

/** What was sent to a receiver, and what it answered. */
export function DeliveriesSection({ webhook }: { readonly webhook: Webhook }) {
  const client = useClient();
  const navigate = useNavigate();
  const { deliveries: chosen } = useSearch({ strict: false }) as { readonly deliveries?: string };
  const choice = (CHOICES.find(({ value }) => value === chosen)?.value ?? 'all') as DeliveryChoice;
  const query = useInfiniteQuery(deliveriesQuery(client, webhook.webhook_id, choice));
  const choose = (value: string) => {
    const search = (now: Record<string, unknown>) => ({
      ...now,
      deliveries: value === 'all' ? undefined : value,
    });
    navigate({ to: '.', search: search as never, replace: true, resetScroll: false });
  };
  return (
    <Section
      title="Deliveries"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Deliveries to show"
          data={CHOICES}
          value={choice}
          onChange={choose}
        />
      }
    >
      <QueryState query={query}>
        {({ pages }) => {
          const deliveries = pages.flatMap(({ data }) => data);
          if (deliveries.length === 0) return <NoDeliveries choice={choice} />;
          return (
            <ul className={classes.deliveries}>
              {deliveries.map((delivery) => (
                <DeliveryRow key={delivery.delivery_id} delivery={delivery} url={webhook.url} />
              ))}
            </ul>
          );
        }}
      </QueryState>
      {query.hasNextPage && (
        <Button
          size="xs"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show older deliveries
        </Button>
      )}
    </Section>
  );
}

function NoDeliveries({ choice }: { readonly choice: DeliveryChoice }) {
  return (
    <Text size="sm" c="dimmed">
      {choice === 'all'
        ? 'Nothing was sent in the last 7 days. Send a test to see whether the receiver responds.'
        : `No delivery of the last 7 days is ${choice}.`}
    </Text>
  );
}

function DeliveryRow({ delivery, url }: { readonly delivery: Delivery; readonly url: string }) {
  const [isOpen, setOpen] = useState(false);
  const { status, kind, last_status: response, last_error: error } = delivery;
  return (
    <li className={classes.delivery}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={classes.summary}>
          <StatusBadge value={status} />
          <span>{response ?? '–'}</span>
          <span className={classes.outcome}>
            {kind === 'test' && 'Test. '}
            {error ?? <bdi>{delivery.event_id}</bdi>}
          </span>
          <span className={`${classes.duration} ${classes.end}`}>{durationText(delivery)}</span>
          <span className={classes.end}>
            <TimeValue value={delivery.last_attempt_at ?? delivery.created_at} />
          </span>
        </summary>
        {isOpen && <Exchange delivery={delivery} url={url} />}
      </details>
    </li>
  );
}

function durationText({ last_duration_ms: duration, attempts }: Delivery): string {
  const times = attempts > 1 ? `${attempts} × ` : '';
  return duration === null ? '' : `${times}${duration.toLocaleString()} ms`;
}

/** The last attempt of a delivery: the request and the answer. */
function Exchange({ delivery, url }: { readonly delivery: Delivery; readonly url: string }) {
  const client = useClient();
  const { event_id: eventId, kind, last_response: answer, last_error: error } = delivery;
  const event = useQuery({
    queryKey: ['events', eventId],
    queryFn: ({ signal }) => client.events.get(eventId, { signal }),
    enabled: kind === 'event',
  });
  return (
    <div className={classes.exchange}>
      <Facts items={factsOf(delivery)} />
      <div>
        <h3>Request</h3>
        {kind === 'test' ? (
          <Text size="sm">
            A sample event whose metadata has <code>test</code>, signed like any other.
          </Text>
        ) : (
          <QueryState query={event}>
            {(body) => (
              <Snippet
                label="Request"
                code={`POST ${url}\ncontent-type: application/json\n\n${JSON.stringify(body, null, 2)}`}
              />
            )}
          </QueryState>
        )}
      </div>
      <div>
        <h3>Response</h3>
        {answer === null && error === null && <Text size="sm">No attempt yet.</Text>}
        {error !== null && <Text size="sm">{error}</Text>}
        {answer === '' && <Text size="sm">The body was empty.</Text>}
        {answer !== null && answer !== '' && <Snippet label="Response" code={answer} />}
      </div>
    </div>
  );
}

function factsOf(delivery: Delivery) {
  const { last_attempt_at: last, next_attempt_at: next } = delivery;
  return [
    { label: 'Delivery', value: <IdLink id={delivery.delivery_id} /> },
    { label: 'Event', value: delivery.kind === 'event' && <IdLink id={delivery.event_id} /> },
    { label: 'Status code', value: delivery.last_status },
    { label: 'Attempts', value: delivery.attempts },
    { label: 'Last attempt', value: last && <TimeValue value={last} format="full" /> },
    { label: 'Next attempt', value: next && <TimeValue value={next} format="full" /> },
  ].filter(({ value }) => value !== false);
}
