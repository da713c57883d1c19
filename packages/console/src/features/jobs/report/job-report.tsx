import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Artifact, Job } from '@tps/client';
import {
  IdLink,
  isRunning,
  LinkedText,
  QueryState,
  Section,
  StatusBadge,
  TimeValue,
  toWords,
} from '../../../kit/index.ts';
import { useClient } from '../../../session/index.ts';
import { artifactsQuery } from '../job-queries.ts';
import classes from './job-report.module.css';
import {
  artifactOf,
  type Check,
  type Proposal,
  type Reason,
  readMoments,
  readRecommendation,
} from './recommendation.ts';
import { Report } from './report.tsx';

/** What a job recommends, its report, and the evidence beside it. */
export function JobReport({ job }: { readonly job: Job }) {
  const artifacts = useQuery(artifactsQuery(useClient(), job));
  return (
    <QueryState query={artifacts}>
      {({ data }) => (data.length === 0 ? <Nothing job={job} /> : <Published job={job} artifacts={data} />)}
    </QueryState>
  );
}

function Nothing({ job }: { readonly job: Job }) {
  return (
    <Section title="Report">
      <Text c="dimmed">
        {isRunning(job) ? 'The evidence is being collected.' : 'The job ended before it published a report.'}
      </Text>
    </Section>
  );
}

function Published({ job, artifacts }: { readonly job: Job; readonly artifacts: readonly Artifact[] }) {
  const find = (kind: Artifact['kind']) => artifactOf(artifacts, kind, job.trace_id);
  const report = find('triage_report');
  const recommended = find('recommendation');
  const timeline = find('timeline');
  const recommendation = recommended && readRecommendation(recommended.content);
  return (
    <>
      {recommendation && (
        <Section title="Recommendation">
          <p className={classes.verdict}>
            <strong>{toWords(recommendation.verdict ?? 'no verdict')}</strong>
            {recommendation.score !== undefined && <span> · {recommendation.score} of 100</span>}
          </p>
          <Proposals proposals={recommendation.proposals} />
        </Section>
      )}
      <div className={classes.columns}>
        <Section title="Report">
          {report ? <Report text={report.content} /> : <Text c="dimmed">This run published no report.</Text>}
        </Section>
        <div className={classes.evidence}>
          {recommendation && (
            <>
              <Section title="Reasons">
                <Reasons reasons={recommendation.reasons} />
              </Section>
              <Section title="Checks">
                <Checks checks={recommendation.checks} />
              </Section>
            </>
          )}
          {timeline && (
            <Section title="Evidence over time">
              <Moments content={timeline.content} />
            </Section>
          )}
        </div>
      </div>
    </>
  );
}

function Proposals({ proposals }: { readonly proposals: readonly Proposal[] }) {
  return (
    <ul className={classes.list}>
      {proposals.map(({ incidentId, now, change, why }) => (
        <li key={incidentId}>
          <div>
            <IdLink id={incidentId} />: {toWords(now)} →{' '}
            <strong>{change === undefined ? 'no change' : toWords(change)}</strong>
          </div>
          <div className={classes.quiet}>
            <LinkedText text={why} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function Reasons({ reasons }: { readonly reasons: readonly Reason[] }) {
  return (
    <ul className={classes.reasons}>
      {reasons.map(({ points, sentence }) => (
        <li key={sentence}>
          <span className={classes.points}>{points > 0 ? `+${points}` : points}</span>
          <span>
            <LinkedText text={sentence} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const TONES = { passed: 'good', flagged: 'warning', blocked: 'bad' } as const;

function Checks({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <ul className={classes.list}>
      {checks.map(({ result, sentence }) => (
        <li key={sentence}>
          <StatusBadge value={result} tone={TONES[result as keyof typeof TONES] ?? 'waiting'} />
          <div>
            <LinkedText text={sentence} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** More moments than these say little more; the report has the summary. */
const MAX_MOMENTS = 100;

function Moments({ content }: { readonly content: string }) {
  const moments = readMoments(content);
  return (
    <ol className={classes.list}>
      {moments.slice(0, MAX_MOMENTS).map((moment) => (
        <li key={`${moment.id} ${moment.at} ${moment.sentence}`}>
          <span className={classes.quiet}>
            {moment.at === undefined ? 'Time unknown' : <TimeValue value={moment.at} format="full" />}
          </span>
          <div>
            <LinkedText text={moment.sentence ?? 'No description'} />
          </div>
          {moment.said !== undefined && <q className={classes.said}>{moment.said}</q>}
        </li>
      ))}
      {moments.length > MAX_MOMENTS && (
        <li className={classes.quiet}>and {(moments.length - MAX_MOMENTS).toLocaleString()} more</li>
      )}
    </ol>
  );
}
