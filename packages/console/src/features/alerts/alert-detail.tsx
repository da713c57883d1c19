import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Alert } from '@tps/client';
import {
  DetailLayout,
  detailPage,
  Facts,
  IdLink,
  LinkList,
  Marks,
  QueryState,
  Section,
  Severity,
  StatusBadge,
  TimeValue,
  toCount,
  toPercent,
  toWords,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import { alertQuery, eventsOfAlertQuery } from './alert-queries.ts';

/** One alert: as a page, and beside the list. */
export function AlertDetail({ id }: { readonly id: string }) {
  const alert = useQuery(alertQuery(useClient(), id));
  return <QueryState query={alert}>{(value) => <Detail alert={value} />}</QueryState>;
}

export const AlertPage = detailPage(AlertDetail);

function Detail({ alert }: { readonly alert: Alert }) {
  const can = useCan();
  return (
    <DetailLayout
      id={alert.alert_id}
      title={alert.title}
      marks={
        <>
          <Severity value={alert.severity} />
          <StatusBadge value={alert.status} />
        </>
      }
    >
      <Section title="Related">
        <Facts
          items={[
            {
              label: 'Incident',
              value:
                alert.incident_id === null ? (
                  <Text span c="dimmed">
                    None: its severity is below high
                  </Text>
                ) : (
                  <IdLink id={alert.incident_id} />
                ),
            },
            { label: 'Threat', value: <IdLink id={alert.threat_id} /> },
            { label: 'Device', value: <IdLink id={alert.device_id} /> },
            { label: 'Category', value: toWords(alert.threat_category) },
            { label: 'Created', value: <TimeValue value={alert.created_at} format="full" /> },
            { label: 'Updated', value: <TimeValue value={alert.updated_at} /> },
          ]}
        />
      </Section>
      <Section title={toCount(alert.event_ids.length, { one: 'event', many: 'events' })}>
        {can('events:read') ? (
          <Events alert={alert} />
        ) : (
          <Text c="dimmed">Your role does not read events.</Text>
        )}
      </Section>
    </DetailLayout>
  );
}

function Events({ alert }: { readonly alert: Alert }) {
  const events = useQuery(eventsOfAlertQuery(useClient(), alert));
  return (
    <QueryState query={events}>
      {(list) => (
        <LinkList>
          {list.map((event) => (
            <li key={event.event_id}>
              <IdLink id={event.event_id}>{event.description ?? toWords(event.threat_category)}</IdLink>
              <Marks>
                <StatusBadge value={event.action_taken} />
                <span>{toPercent(event.confidence)} confidence</span>
                <TimeValue value={event.timestamp} />
              </Marks>
            </li>
          ))}
          {alert.event_ids.length > list.length && (
            <li>
              <Marks>and {(alert.event_ids.length - list.length).toLocaleString()} earlier ones</Marks>
            </li>
          )}
        </LinkList>
      )}
    </QueryState>
  );
}
