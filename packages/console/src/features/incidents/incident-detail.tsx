import { useQuery } from '@tanstack/react-query';
import type { Incident } from '@tps/client';
import {
  DetailLayout,
  detailPage,
  Facts,
  QueryState,
  Section,
  Severity,
  StatusBadge,
  TimeValue,
  toDuration,
  toWords,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import { IncidentActions } from './acts/incident-actions.tsx';
import { CommentForm } from './detail/comment-form.tsx';
import { IncidentEvidence } from './detail/incident-evidence.tsx';
import { IncidentJobs } from './detail/incident-jobs.tsx';
import { IncidentMembers } from './detail/incident-people.tsx';
import { IncidentTimeline } from './detail/incident-timeline.tsx';
import { SimilarIncidents } from './detail/similar-incidents.tsx';
import classes from './incident-detail.module.css';
import { incidentQuery } from './incident-queries.ts';

/** One incident: as a page, and beside the list. */
export function IncidentDetail({ id }: { readonly id: string }) {
  const incident = useQuery(incidentQuery(useClient(), id));
  return <QueryState query={incident}>{(value) => <Detail key={value.id} incident={value} />}</QueryState>;
}

export const IncidentPage = detailPage(IncidentDetail);

function Detail({ incident }: { readonly incident: Incident }) {
  const can = useCan();
  const mayChange = can('incidents:write');
  return (
    <DetailLayout
      id={incident.id}
      title={incident.message}
      marks={
        <>
          <Severity value={incident.severity} />
          <StatusBadge value={incident.status} />
          {incident.resolution !== null && <strong>{toWords(incident.resolution)}</strong>}
        </>
      }
      {...(mayChange && { actions: <IncidentActions incident={incident} /> })}
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          <Section title="Evidence">
            <IncidentEvidence incident={incident} />
          </Section>
          <Section title="Timeline">
            {mayChange && <CommentForm incident={incident} />}
            <IncidentTimeline incident={incident} />
          </Section>
        </div>
        <div className={classes.side}>
          <Section title="Handling">
            {mayChange && <IncidentMembers incident={incident} />}
            <IncidentFacts incident={incident} mayChange={mayChange} />
          </Section>
          <Section title="Triage">
            <IncidentJobs id={incident.id} />
          </Section>
          <Section title="Similar incidents">
            <SimilarIncidents id={incident.id} />
          </Section>
        </div>
      </div>
    </DetailLayout>
  );
}

function IncidentFacts({
  incident,
  mayChange,
}: {
  readonly incident: Incident;
  readonly mayChange: boolean;
}) {
  const { created_at: createdAt, acknowledged_at: acknowledgedAt, resolved_at: resolvedAt } = incident;
  return (
    <div className={classes.facts}>
      <Facts
        items={[
          { label: 'Assignee', value: mayChange ? undefined : (incident.assignee_name ?? incident.assignee) },
          { label: 'Tags', value: mayChange ? undefined : incident.tags.join(', ') },
          { label: 'Category', value: toWords(incident.category) },
          { label: 'Created', value: <TimeValue value={createdAt} format="full" /> },
          { label: 'Acknowledged', value: <Milestone from={createdAt} to={acknowledgedAt} /> },
          { label: 'Resolved', value: <Milestone from={createdAt} to={resolvedAt} /> },
          { label: 'Updated', value: <TimeValue value={incident.updated_at} /> },
        ]}
      />
    </div>
  );
}

/** How long it took; the time itself is shown by the pointer. */
function Milestone({ from, to }: { readonly from: string; readonly to: string | null }) {
  if (to === null) return <span className={classes.quiet}>Not yet</span>;
  const took = toDuration(new Date(to).getTime() - new Date(from).getTime()) ?? 'less than a minute';
  return (
    <>
      after {took} · <TimeValue value={to} />
    </>
  );
}
