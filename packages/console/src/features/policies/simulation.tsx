import { Select, Stack, Text } from '@mantine/core';
import type { ChangedEvent, NewPolicySimulation, PolicySimulation } from '@tps/client';
import { ACTIONS } from '@tps/contract/vocabulary';
import { useState } from 'react';
import { IdLink, QueryState, Section, StatusBadge, TimeValue, toWords } from '../../kit/index.ts';
import classes from './simulation.module.css';
import { RANGES, useSimulation } from './use-simulation.ts';

interface SimulationProps {
  /** Undefined while the rule is not complete. */
  readonly simulation: NewPolicySimulation | undefined;
  /** Whether it differs from the present policies. If not, only what these decide is shown. */
  readonly isChanged: boolean;
}

/** What a policy would have done on past events, as it is being edited. */
export function Simulation({ simulation, isChanged }: SimulationProps) {
  const [range, setRange] = useState<string>('168');
  const query = useSimulation(simulation, Number(range));
  return (
    <Section
      title="Simulation on past events"
      actions={
        <Select
          size="xs"
          aria-label="Range of past events"
          allowDeselect={false}
          data={[...RANGES]}
          value={range}
          onChange={(value) => setRange(value ?? '168')}
        />
      }
    >
      {simulation === undefined ? (
        <Text size="sm" c="dimmed">
          Choose at least one category to see what the policy would have done.
        </Text>
      ) : (
        <QueryState query={query}>
          {(outcome) => <Outcome outcome={outcome} isChanged={isChanged} isStale={query.isPlaceholderData} />}
        </QueryState>
      )}
    </Section>
  );
}

interface OutcomeProps {
  readonly outcome: PolicySimulation;
  readonly isChanged: boolean;
  readonly isStale: boolean;
}

function Outcome({ outcome, isChanged, isStale }: OutcomeProps) {
  const { stricter, milder, devices, matched, read, complete } = outcome;
  return (
    <Stack gap="md" className={isStale ? classes.stale : undefined} aria-busy={isStale}>
      {isChanged ? (
        <dl className={classes.summary} aria-live="polite">
          <Figure label="Stricter than the current policies" count={stricter} />
          <Figure label="Less strict than the current policies" count={milder} />
          <Figure label="Devices affected" count={devices} />
          <Figure label="Decisions in these categories" count={matched} />
        </dl>
      ) : (
        <Text size="sm">
          {matched.toLocaleString()} decisions in these categories. Change the rule to see what it would have
          done.
        </Text>
      )}
      <ActionTable outcome={outcome} isChanged={isChanged} />
      <ChangedEvents outcome={outcome} />
      <Text size="xs" c="dimmed">
        {read.toLocaleString()} events read
        {complete ? '. ' : ', the newest of the range; older ones were not read. '}
        The result covers only what devices recorded. Content that no detector reported is not among the
        events, however low the threshold is, and devices that decide by fallback policies of their
        application may differ.
      </Text>
    </Stack>
  );
}

function Figure({ label, count }: { readonly label: string; readonly count: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{count.toLocaleString()}</dd>
    </div>
  );
}

/** Numbers by action: what devices did, what the present policies decide, and what they would decide. */
function ActionTable({ outcome, isChanged }: Pick<OutcomeProps, 'outcome' | 'isChanged'>) {
  return (
    <table className={classes.table} style={{ minWidth: 0, maxWidth: '28rem' }}>
      <thead>
        <tr>
          <th scope="col">Action</th>
          <th scope="col" className={classes.number}>
            Taken by the device
          </th>
          <th scope="col" className={classes.number}>
            Current policies
          </th>
          {isChanged && (
            <th scope="col" className={classes.number}>
              With your change
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {ACTIONS.map((action) => (
          <tr key={action}>
            <td>
              <StatusBadge value={action} />
            </td>
            <td className={classes.number}>{outcome.taken[action].toLocaleString()}</td>
            <td className={classes.number}>{outcome.before[action].toLocaleString()}</td>
            {isChanged && <td className={classes.number}>{outcome.after[action].toLocaleString()}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ChangedEvents({ outcome: { events, stricter, milder } }: { readonly outcome: PolicySimulation }) {
  if (events === undefined || events.length === 0) return null;
  const total = stricter + milder;
  return (
    <div className={classes.changes}>
      <Text size="sm" fw={600} mb={4}>
        {events.length < total
          ? `The newest ${events.length} of ${total.toLocaleString()} events with another action`
          : 'Events with another action'}
      </Text>
      <table className={classes.table}>
        <thead>
          <tr>
            {[
              'When',
              'Device',
              'Category',
              'Confidence',
              'Current policies',
              'With your change',
              'Event',
            ].map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <ChangedRow key={event.event_id} event={event} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ChangedRow({ event }: { readonly event: ChangedEvent }) {
  return (
    <tr>
      <td>
        <TimeValue value={event.timestamp} />
      </td>
      <td>
        <IdLink id={event.device_id} />
      </td>
      <td>{toWords(event.threat_category)}</td>
      <td>{event.confidence}</td>
      <td>
        <StatusBadge value={event.before} />
      </td>
      <td>
        <StatusBadge value={event.after} />
      </td>
      <td>
        <IdLink id={event.event_id} />
      </td>
    </tr>
  );
}
