import {
  IconDeviceMobileOff,
  IconMailX,
  IconPlugConnectedX,
  IconRobot,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Incident, ProtectionStatus } from '@tps/client';
import type { ComponentType, ReactNode } from 'react';
import {
  PageLink,
  QueryState,
  Section,
  Severity,
  StatusBadge,
  TimeValue,
  toCount,
  toDateTime,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import classes from './needs-attention.module.css';
import {
  assigneesQuery,
  SHOWN_INCIDENTS,
  SHOWN_JOBS,
  settingsQuery,
  UNRESOLVED,
  urgentIncidentsQuery,
  waitingJobsQuery,
} from './overview-queries.ts';

/** What a person has to do, the most urgent first. Each line leads to where it is done. */
export function NeedsAttention({ status }: { readonly status: ProtectionStatus }) {
  const can = useCan();
  const chores = useChores(status);
  const { open, in_progress, on_hold } = status.incidents;
  const unresolved = open + in_progress + on_hold;
  const isCalm = unresolved === 0 && chores.length === 0;
  return (
    <Section
      title="Needs attention"
      actions={
        unresolved > 0 && can('incidents:read') ? (
          <PageLink to="/incidents" search={{ status: UNRESOLVED, sort: 'severity' }}>
            All {unresolved.toLocaleString()} unresolved incidents
          </PageLink>
        ) : undefined
      }
    >
      {isCalm && <p className={classes.calm}>Nothing needs attention.</p>}
      {unresolved > 0 && can('incidents:read') && <UrgentIncidents />}
      {chores.length > 0 && <ul className={classes.chores}>{chores}</ul>}
    </Section>
  );
}

function UrgentIncidents() {
  const client = useClient();
  const people = useQuery(assigneesQuery(client));
  const nameOf = (id: string) => people.data?.data.find((one) => one.account_id === id)?.name ?? id;
  return (
    <QueryState query={useQuery(urgentIncidentsQuery(client))}>
      {({ data }) => (
        <ol className={classes.incidents} aria-label={`The ${SHOWN_INCIDENTS} most urgent incidents`}>
          {data.map((incident) => (
            <IncidentLine key={incident.id} incident={incident} nameOf={nameOf} />
          ))}
        </ol>
      )}
    </QueryState>
  );
}

function IncidentLine({
  incident,
  nameOf,
}: {
  readonly incident: Incident;
  readonly nameOf: (accountId: string) => string;
}) {
  const { id, severity, status, message, created_at, assignee } = incident;
  return (
    <li className={classes.incident}>
      <Severity value={severity} />
      <PageLink to={`/incidents/${id}`} className={classes.message}>
        <bdi>{message}</bdi>
      </PageLink>
      <span className={classes.state}>
        <StatusBadge value={status} />
      </span>
      <span className={classes.quiet}>
        {assignee === null ? 'Unassigned' : <bdi>{nameOf(assignee)}</bdi>}
      </span>
      <span className={classes.age}>
        <TimeValue value={created_at} />
      </span>
    </li>
  );
}

function useChores(status: ProtectionStatus): ReactNode[] {
  const client = useClient();
  const can = useCan();
  const mayReadJobs = can('jobs:read');
  const jobs = useQuery({ ...waitingJobsQuery(client), enabled: mayReadJobs });
  const settings = useQuery(settingsQuery(client));
  const { webhooks, devices } = status;
  const deletion = settings.data?.deletion ?? null;
  const waiting = jobs.data?.data.length ?? 0;
  const waitingWords = jobs.data?.has_more
    ? `More than ${SHOWN_JOBS} jobs wait`
    : toCount(waiting, WAITING_JOB);
  return [
    deletion !== null && (
      <Chore key="deletion" mark={IconTrash} to="/settings" search={{}}>
        This tenant will be deleted on {toDateTime(deletion.due_at)}
      </Chore>
    ),
    waiting > 0 && (
      <Chore key="jobs" mark={IconRobot} to="/jobs" search={{ status: 'waiting_review' }}>
        {waitingWords} for a review
      </Chore>
    ),
    webhooks.failing > 0 && (
      <Chore key="failing" mark={IconPlugConnectedX} to="/webhooks" search={{}}>
        {toCount(webhooks.failing, FAILING_WEBHOOK)}
      </Chore>
    ),
    webhooks.dead_letters > 0 && (
      <Chore key="dead" mark={IconMailX} to="/webhooks/dead-letters" search={{}}>
        {toCount(webhooks.dead_letters, DEAD_LETTER)}
      </Chore>
    ),
    devices.offline > 0 && (
      <Chore key="offline" mark={IconDeviceMobileOff} to="/devices" search={{ status: 'active' }}>
        {toCount(devices.offline, OFFLINE_DEVICE)}, not seen for more than a day
      </Chore>
    ),
  ].filter((chore) => chore !== false);
}

const WAITING_JOB = { one: 'job waits', many: 'jobs wait' };
const FAILING_WEBHOOK = { one: 'webhook fails', many: 'webhooks fail' };
const DEAD_LETTER = { one: 'dead letter', many: 'dead letters' };
const OFFLINE_DEVICE = { one: 'device is offline', many: 'devices are offline' };

interface ChoreProps {
  readonly mark: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

function Chore({ mark: Mark, to, search, children }: ChoreProps) {
  return (
    <li className={classes.chore}>
      <Mark size={16} stroke={1.75} aria-hidden="true" />
      <PageLink to={to} search={search}>
        {children}
      </PageLink>
    </li>
  );
}
