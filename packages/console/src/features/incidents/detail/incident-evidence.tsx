import { useQuery } from '@tanstack/react-query';
import type { Incident } from '@tps/client';
import type { ReactNode } from 'react';
import {
  CopyButton,
  IdLink,
  LinkList,
  Marks,
  QueryState,
  Severity,
  StatusBadge,
  TimeValue,
  toCount,
  toPercent,
  toWords,
} from '../../../kit/index.ts';
import { useClient } from '../../../session/index.ts';
import { evidenceQuery } from '../incident-queries.ts';
import classes from './incident-evidence.module.css';

/** What the incident rests on: its newest alerts and threats, and the devices. */
export function IncidentEvidence({ incident }: { readonly incident: Incident }) {
  const evidence = useQuery(evidenceQuery(useClient(), incident));
  const { device_ids: deviceIds, alert_ids: alertIds, threat_ids: threatIds } = incident;
  if (alertIds.length + threatIds.length + deviceIds.length === 0) {
    return <p className={classes.quiet}>The service opened it about itself: there are no alerts.</p>;
  }
  return (
    <div className={classes.evidence}>
      <Group title={toCount(deviceIds.length, { one: 'device', many: 'devices' })}>
        {deviceIds.slice(0, MAX_DEVICES).map((id) => (
          <li key={id}>
            <IdLink id={id} />
          </li>
        ))}
        <More count={deviceIds.length - MAX_DEVICES} />
      </Group>
      <QueryState query={evidence}>
        {({ alerts, threats }) => (
          <>
            <Group title={toCount(alertIds.length, { one: 'alert', many: 'alerts' })}>
              {alerts.map((alert) => (
                <li key={alert.alert_id} className={classes.item}>
                  <IdLink id={alert.alert_id}>{alert.title}</IdLink>
                  <Marks>
                    <Severity value={alert.severity} />
                    <StatusBadge value={alert.status} />
                    <span>{toCount(alert.event_ids.length, { one: 'event', many: 'events' })}</span>
                    <TimeValue value={alert.created_at} />
                  </Marks>
                </li>
              ))}
              <More count={alertIds.length - alerts.length} />
            </Group>
            <Group title={toCount(threatIds.length, { one: 'threat', many: 'threats' })}>
              {threats.map((threat) => (
                <li key={threat.threat_id} className={classes.item}>
                  <IdLink id={threat.threat_id}>
                    {threat.description ?? toWords(threat.threat_category)}
                  </IdLink>
                  <Marks>
                    <StatusBadge
                      value={threat.status}
                      {...(threat.status === 'active' && { tone: 'warning' })}
                    />
                    <span>{toPercent(threat.confidence)} confidence</span>
                    <TimeValue value={threat.last_seen_at} />
                  </Marks>
                  <Indicators values={threat.indicators} />
                </li>
              ))}
              <More count={threatIds.length - threats.length} />
            </Group>
          </>
        )}
      </QueryState>
    </div>
  );
}

const MAX_DEVICES = 5;
const MAX_INDICATORS = 6;

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h3 className={classes.title}>{title}</h3>
      <LinkList>{children}</LinkList>
    </div>
  );
}

function Indicators({ values }: { readonly values: readonly string[] }) {
  return (
    <ul className={classes.indicators} aria-label="Indicators">
      {values.slice(0, MAX_INDICATORS).map((value) => (
        <li key={value}>
          <code>{value}</code>
          <CopyButton value={value} label="Copy the indicator" />
        </li>
      ))}
      <More count={values.length - MAX_INDICATORS} />
    </ul>
  );
}

function More({ count }: { readonly count: number }) {
  return count > 0 ? <li className={classes.quiet}>and {count.toLocaleString()} more</li> : null;
}
