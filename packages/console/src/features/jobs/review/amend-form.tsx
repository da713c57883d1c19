import { NumberInput, Text, Textarea, VisuallyHidden } from '@mantine/core';
import type { Job, Review } from '@tps/client';
import { Form, type FormProps, IdLink, useDraft } from '../../../kit/index.ts';
import classes from './amend-form.module.css';
import { compareRefs, draftOf, MAX_RUNS, problemOf, refsOf, toAmendment } from './amendment.ts';

interface AmendFormProps {
  readonly draft: string;
  readonly job: Job;
  readonly change: FormProps['change'];
  readonly onSubmit: (review: Partial<Review>, clear: () => void) => void;
  readonly onCancel: () => void;
}

/** Asks for the inputs of the next run, and shows what differs from the last one. */
export function AmendForm({ draft, job, change, onSubmit, onCancel }: AmendFormProps) {
  const { value, setValue, clear } = useDraft(draft, { ...draftOf(job), comment: '' });
  const problem = problemOf(job, value);
  const comment = value.comment.trim();
  return (
    <Form
      act="Run again"
      isReady={problem === undefined}
      change={change}
      onSubmit={() =>
        onSubmit({ amendment: toAmendment(job, value), ...(comment !== '' && { comment }) }, clear)
      }
      onCancel={onCancel}
      cancel="Back"
    >
      <Textarea
        label="Inputs"
        description="IDs of incidents, alerts, threats, events and scans, one per line."
        data-autofocus
        autosize
        minRows={3}
        maxRows={12}
        value={value.refs}
        onChange={(event) => setValue({ ...value, refs: event.currentTarget.value })}
      />
      <Difference before={job.input_refs} after={refsOf(value)} />
      <NumberInput
        label="Maximum number of runs"
        description={`It has run ${job.run_count} times; ${job.max_runs} are allowed now.`}
        min={1}
        max={MAX_RUNS}
        allowDecimal={false}
        value={value.maxRuns}
        onChange={(maxRuns) => setValue({ ...value, maxRuns: Number(maxRuns) })}
      />
      <Textarea
        label="Comment"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4000}
        value={value.comment}
        onChange={(event) => setValue({ ...value, comment: event.currentTarget.value })}
      />
      {problem !== undefined && (
        <Text size="sm" c="var(--severity-critical)" role="status">
          {problem}
        </Text>
      )}
    </Form>
  );
}

const SIGNS = { kept: ' ', added: '+', removed: '−' } as const;

function Difference({
  before,
  after,
}: {
  readonly before: readonly string[];
  readonly after: readonly string[];
}) {
  return (
    <ul className={classes.difference} aria-label="Changes since the last run">
      {compareRefs(before, after).map(({ ref, kind }) => (
        <li key={ref} data-kind={kind}>
          <span aria-hidden="true">{SIGNS[kind]}</span> <IdLink id={ref} />
          <VisuallyHidden> {kind}</VisuallyHidden>
        </li>
      ))}
    </ul>
  );
}
