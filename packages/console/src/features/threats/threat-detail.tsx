import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Threat } from '@tps/client';
import {
  CopyButton,
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
import classes from './threat-detail.module.css';
import { alertsOfThreatQuery, guidanceQuery, sharedIndicatorsQuery, threatQuery } from './threat-queries.ts';
import { ThreatStatus } from './threat-status.tsx';

/** One threat: as a page, and beside the list. */
export function ThreatDetail({ id }: { readonly id: string }) {
  const threat = useQuery(threatQuery(useClient(), id));
  return <QueryState query={threat}>{(value) => <Detail threat={value} />}</QueryState>;
}

export const ThreatPage = detailPage(ThreatDetail);

function Detail({ threat }: { readonly threat: Threat }) {
  const can = useCan();
  return (
    <DetailLayout
      id={threat.threat_id}
      title={threat.description ?? toWords(threat.threat_category)}
      marks={
        <>
          <Severity value={threat.severity} />
          <ThreatStatus value={threat.status} />
        </>
      }
    >
      <Section title="Details">
        <Facts
          items={[
            { label: 'Category', value: toWords(threat.threat_category) },
            { label: 'Confidence', value: toPercent(threat.confidence) },
            { label: 'Device', value: <IdLink id={threat.device_id} /> },
            { label: 'Events', value: threat.event_count.toLocaleString() },
            { label: 'Detected', value: <TimeValue value={threat.detected_at} format="full" /> },
            { label: 'Last seen', value: <TimeValue value={threat.last_seen_at} /> },
          ]}
        />
      </Section>
      <Section title={toCount(threat.indicators.length, { one: 'indicator', many: 'indicators' })}>
        {threat.indicators.length === 0 && <Text c="dimmed">Its events name no indicator.</Text>}
        <LinkList>
          {threat.indicators.map((value) => (
            <li key={value}>
              <code>{value}</code> <CopyButton value={value} label="Copy the indicator" />
            </li>
          ))}
        </LinkList>
      </Section>
      {threat.indicators.length > 0 && (
        <Section title="The same indicators elsewhere">
          <Shared threat={threat} />
        </Section>
      )}
      {can('alerts:read') && (
        <Section title="Alerts">
          <Alerts id={threat.threat_id} />
        </Section>
      )}
      <Section title="What to do">
        <Guidance threat={threat} />
      </Section>
    </DetailLayout>
  );
}

function Shared({ threat }: { readonly threat: Threat }) {
  const shared = useQuery(sharedIndicatorsQuery(useClient(), threat));
  return (
    <QueryState query={shared}>
      {(list) =>
        list.length === 0 ? (
          <Text c="dimmed">No other device has reported them.</Text>
        ) : (
          <LinkList>
            {list.map((one) => (
              <li key={one.threat_id}>
                <IdLink id={one.threat_id}>{one.description ?? toWords(one.threat_category)}</IdLink>
                <Marks>
                  <ThreatStatus value={one.status} />
                  <IdLink id={one.device_id} />
                  <TimeValue value={one.last_seen_at} />
                </Marks>
              </li>
            ))}
          </LinkList>
        )
      }
    </QueryState>
  );
}

function Alerts({ id }: { readonly id: string }) {
  const alerts = useQuery(alertsOfThreatQuery(useClient(), id));
  return (
    <QueryState query={alerts}>
      {({ data }) => (
        <LinkList>
          {data.length === 0 && (
            <li>
              <Marks>None: its events were only warnings.</Marks>
            </li>
          )}
          {data.map((alert) => (
            <li key={alert.alert_id}>
              <IdLink id={alert.alert_id}>{alert.title}</IdLink>
              <Marks>
                <StatusBadge value={alert.status} />
                {alert.incident_id !== null && <IdLink id={alert.incident_id} />}
                <TimeValue value={alert.created_at} />
              </Marks>
            </li>
          ))}
        </LinkList>
      )}
    </QueryState>
  );
}

function Guidance({ threat }: { readonly threat: Threat }) {
  const cards = useQuery(guidanceQuery(useClient(), threat.threat_category));
  return (
    <QueryState query={cards}>
      {({ data: [card] }) =>
        card === undefined ? (
          <Text c="dimmed">There is no guidance for this category.</Text>
        ) : (
          <>
            <Text size="sm">{card.summary}</Text>
            <ol className={classes.steps}>
              {card.steps.map((step) => (
                <li key={step.order}>{step.text}</li>
              ))}
            </ol>
          </>
        )
      }
    </QueryState>
  );
}
