import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Job, TraceStep } from '@tps/client';
import { CopyButton, QueryState, StatusBadge, TimeValue, toWords } from '../../../kit/index.ts';
import { useClient } from '../../../session/index.ts';
import { stepsQuery } from '../job-queries.ts';
import classes from './job-trace.module.css';
import { durationOf, toRuns } from './runs.ts';

/** The steps of each run: what ran, how it ended, and how long it took. */
export function JobTrace({ job }: { readonly job: Job }) {
  const steps = useQuery(stepsQuery(useClient(), job));
  return (
    <QueryState query={steps}>
      {({ data }) => (
        <div className={classes.runs}>
          {toRuns(data).map(({ run, traceId, steps: ofRun }, index) => (
            <details key={traceId} open={index === 0}>
              <summary>Run {run}</summary>
              <p className={classes.id}>
                Trace <code>{traceId}</code> <CopyButton value={traceId} label="Copy the ID of the trace" />
              </p>
              <Steps steps={ofRun} />
            </details>
          ))}
        </div>
      )}
    </QueryState>
  );
}

const TONES = { passed: 'good', flagged: 'warning', blocked: 'bad' } as const;

function Steps({ steps }: { readonly steps: readonly TraceStep[] }) {
  return (
    <Table.ScrollContainer minWidth={480} type="native" tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Step</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Check</Table.Th>
            <Table.Th>Began</Table.Th>
            <Table.Th className={classes.number}>Took</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {steps.map((step) => (
            <Table.Tr key={step.step_id}>
              <Table.Th scope="row">{toWords(step.step_type)}</Table.Th>
              <Table.Td>
                <StatusBadge value={step.status} />
                {step.error_code !== null && <code className={classes.id}> {step.error_code}</code>}
              </Table.Td>
              <Table.Td>
                {step.guardrail_result !== 'not_applicable' && step.status !== 'pending' && (
                  <StatusBadge
                    value={step.guardrail_result}
                    tone={TONES[step.guardrail_result as keyof typeof TONES] ?? 'waiting'}
                  />
                )}
              </Table.Td>
              <Table.Td>{step.started_at !== null && <TimeValue value={step.started_at} />}</Table.Td>
              <Table.Td className={classes.number}>{durationOf(step)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
