import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Event } from '@tps/client';
import {
  CopyButton,
  DetailLayout,
  detailPage,
  Facts,
  IdLink,
  QueryState,
  Section,
  Severity,
  StatusBadge,
  TimeValue,
  toPercent,
  toWords,
} from '../../kit/index.ts';
import { useClient } from '../../session/index.ts';
import { Derived, Proofs } from './event-context-sections.tsx';
import classes from './event-detail.module.css';
import { RedactedText } from './redacted-text.tsx';

/** One event: what the device decided, what followed, and what proves it. */
export function EventDetail({ id }: { readonly id: string }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['event', id],
    queryFn: ({ signal }) => client.events.get(id, { signal }),
    // Events never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <QueryState query={query}>{(event) => <Detail event={event} />}</QueryState>;
}

export const EventPage = detailPage(EventDetail);

function Detail({ event }: { readonly event: Event }) {
  const client = useClient();
  const { event_id: id } = event;
  const context = useQuery({
    queryKey: ['events', 'context', id],
    queryFn: ({ signal }) => client.events.context(id, { signal }),
  });
  return (
    <DetailLayout
      id={id}
      title={`${toWords(event.threat_category)}: ${ACTED[event.action_taken]}`}
      marks={
        <>
          <Severity value={event.severity} />
          <StatusBadge value={event.action_taken} />
          <TimeValue value={event.timestamp} />
        </>
      }
    >
      <Section title="What happened">
        {event.description === undefined ? (
          <Text size="sm" c="dimmed">
            The device sent no description.
          </Text>
        ) : (
          <p className={classes.description}>
            <RedactedText text={event.description} />
          </p>
        )}
        <Facts items={factsOf(event)} />
      </Section>
      <Indicators indicators={event.indicators ?? []} />
      <QueryState query={context}>
        {(read) => (
          <>
            <Derived context={read} />
            <Proofs context={read} />
          </>
        )}
      </QueryState>
      {event.metadata && (
        <Section
          title="Metadata"
          actions={<CopyButton value={JSON.stringify(event, null, 2)} label="Copy the event as JSON" />}
        >
          <Code block className={classes.code}>
            {JSON.stringify(event.metadata, null, 2)}
          </Code>
        </Section>
      )}
    </DetailLayout>
  );
}

const ACTED: Readonly<Record<Event['action_taken'], string>> = {
  allow: 'allowed',
  warn: 'warned',
  block: 'blocked',
};

function factsOf(event: Event) {
  const reason = event.correction_reason;
  return [
    { label: 'Decided', value: <TimeValue value={event.timestamp} format="full" /> },
    { label: 'Device', value: <IdLink id={event.device_id} /> },
    { label: 'Confidence', value: toPercent(event.confidence) },
    { label: 'Policy', value: <IdLink id={event.policy_id} /> },
    { label: 'Corrects', value: event.corrects_event_id && <IdLink id={event.corrects_event_id} /> },
    { label: 'Reason', value: reason && <RedactedText text={reason} /> },
  ];
}

function Indicators({ indicators }: { readonly indicators: readonly string[] }) {
  if (indicators.length === 0) return null;
  return (
    <Section title={`Indicators (${indicators.length})`}>
      <ul className={classes.indicators}>
        {indicators.map((indicator) => (
          <li key={indicator}>
            <bdi>{indicator}</bdi>
            <CopyButton value={indicator} label="Copy the indicator" />
          </li>
        ))}
      </ul>
    </Section>
  );
}
