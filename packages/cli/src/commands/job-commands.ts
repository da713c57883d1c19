import type { Client, Job, JobBulk, Review } from '@tps/client';
import { type Command, Option } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { ExitError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printFields } from '../output/print.ts';
import { showWaiting } from '../output/show-waiting.ts';
import { toShortTime } from '../output/time.ts';
import { addGroup, addItemCommand, type Fields, openCall } from './api-command.ts';
import { addBulkCommand } from './bulk-command.ts';
import { addCountsCommand } from './counts-command.ts';
import { examples } from './examples.ts';
import { addJobResultCommands } from './job-result-commands.ts';
import { addListCommand } from './list-command.ts';
import {
  anyOf,
  choice,
  createdWithin,
  JOB_ACTS,
  JOB_STATUSES,
  REVIEW_DECISIONS,
  wholeNumber,
} from './values.ts';

const ARGUMENT = ['<job>', 'id of the job'] as const;
const WORKFLOW = 'incident_triage_v1';
const toRuns = wholeNumber(1, 10);

const FILTERS = () => [
  anyOf('--status <status>', 'only jobs with this status', JOB_STATUSES),
  new Option('--input-ref <id>', 'only jobs about this incident or other input'),
  ...createdWithin('jobs'),
];

export function addJobCommands(program: Command, context: CommandContext): void {
  const jobs = addGroup(
    program,
    'jobs',
    'triage incidents and review the recommendations',
    'tps jobs create inc_0123 --wait',
    'tps jobs review job_0123 approve',
  );
  addListCommand(jobs, context, {
    description: 'list jobs, newest first',
    filters: FILTERS(),
    list: (client, query: Parameters<Client['jobs']['list']>[0]) => client.jobs.list(query),
    columns: [
      { heading: 'ID', of: (job) => job.job_id },
      { heading: 'STATUS', of: (job) => job.status, isState: true },
      { heading: 'RUN', of: (job) => `${job.run_count}/${job.max_runs}` },
      { heading: 'UPDATED', of: (job) => toShortTime(job.updated_at) },
      { heading: 'INPUTS', of: (job) => job.input_refs.join(', '), mayShrink: true },
    ],
    examples: ['tps jobs list --status waiting_review'],
  });
  addCountsCommand(jobs, context, {
    noun: 'jobs',
    filters: FILTERS(),
    counts: (client, query: Parameters<Client['jobs']['counts']>[0]) => client.jobs.counts(query),
    examples: ['tps jobs counts --status waiting_review'],
  });
  addItemCommand(jobs, context, {
    name: 'show',
    description: 'show one job',
    argument: ARGUMENT,
    examples: ['tps jobs show job_0123'],
    call: (id, { client, tenant }) => client.jobs.get(id, tenant),
    fields: toFields,
  });
  addCreate(jobs, context);
  addReview(jobs, context);
  addCancel(jobs, context);
  addBulk(jobs, context);
  addJobResultCommands(jobs, context);
}

function addBulk(jobs: Command, context: CommandContext): void {
  addBulkCommand<JobBulk['change'], JobBulk['change']>(jobs, context, {
    description: 'approve, reject or cancel several jobs, each by itself',
    noun: 'jobs',
    changes: [
      choice('--action <action>', 'what happens to each job', JOB_ACTS).makeOptionMandatory(),
      new Option('--comment <text>', 'reason, recorded with each job'),
    ],
    toChange: (change) => change,
    isFinal: () => true,
    counts: (client, filter) => client.jobs.counts(filter),
    run: (client, request) => client.jobs.bulkAll(request),
    examples: [
      'tps jobs bulk job_0123 job_0124 --action reject --comment "Exercise"',
      'tps jobs bulk --filter status=queued,running --action cancel --dry-run',
    ],
  });
}

function addCreate(jobs: Command, context: CommandContext): void {
  jobs
    .command('create')
    .description('triage incidents, alerts, threats, events or scans')
    .argument('<ids...>', 'ids of incidents, alerts, threats, events and scans')
    .option('--max-runs <number>', 'maximum number of runs, amendments included', toRuns)
    .option('--wait', 'wait until the recommendation is ready for review')
    .addHelpText(
      'after',
      examples('tps jobs create inc_0123', 'tps jobs create inc_0123 alr_0456 --max-runs 2 --wait'),
    )
    .action(async (ids: string[], { maxRuns, wait }: { maxRuns?: number; wait?: true }, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const runs = maxRuns === undefined ? {} : { max_runs: maxRuns };
      let job = await client.jobs.create({ workflow_id: WORKFLOW, input_refs: ids, ...runs, ...tenant });
      if (wait) job = await showWaiting(context, job.job_id, client.jobs.waitFor(job.job_id, tenant));
      await printFields(session, job, toFields(job));
      // Without a recommendation the next command of a script must not run.
      if (wait && job.status !== 'waiting_review') throw new ExitError(EXIT.failure);
    });
}

interface ReviewFlags {
  readonly comment?: string;
  readonly inputs?: readonly string[];
  readonly maxRuns?: number;
}

function addReview(jobs: Command, context: CommandContext): void {
  jobs
    .command('review')
    .description('approve, amend, reject or cancel the recommendation of a job')
    .argument(...ARGUMENT)
    .argument('<decision>', `one of ${REVIEW_DECISIONS.join(', ')}`)
    .option('--comment <text>', 'reason, recorded in the audit')
    .addOption(new Option('--inputs <ids...>', 'with amend: new inputs'))
    .option('--max-runs <number>', 'with amend: new maximum number of runs', toRuns)
    .addHelpText(
      'after',
      examples(
        'tps jobs review job_0123 approve --comment "Agreed"',
        'tps jobs review job_0123 amend --inputs inc_0123 alr_0456',
        'tps jobs review job_0123 reject',
      ),
    )
    .action(async (id: string, decision: string, flags: ReviewFlags, command: Command) => {
      const review = toReview(decision, flags);
      const { client, session, tenant } = await openCall(context, command);
      const job = await client.jobs.review(id, { ...review, ...tenant });
      await printFields(session, job, toFields(job));
    });
}

function toReview(text: string, { comment, inputs, maxRuns }: ReviewFlags): Review {
  const decision = REVIEW_DECISIONS.find((known) => known === text);
  if (!decision) throw usageError(`The decision must be one of ${REVIEW_DECISIONS.join(', ')}.`);
  const amendment = {
    ...(inputs === undefined ? {} : { input_refs: [...inputs] }),
    ...(maxRuns === undefined ? {} : { max_runs: maxRuns }),
  };
  const isAmended = Object.keys(amendment).length > 0;
  if (isAmended && decision !== 'amend')
    throw usageError('--inputs and --max-runs are allowed only with amend.');
  return {
    decision,
    ...(comment === undefined ? {} : { comment }),
    ...(decision === 'amend' ? { amendment } : {}),
  };
}

function addCancel(jobs: Command, context: CommandContext): void {
  jobs
    .command('cancel')
    .description('cancel a job that has not ended')
    .argument(...ARGUMENT)
    .option('--comment <text>', 'reason, recorded in the audit')
    .addHelpText('after', examples('tps jobs cancel job_0123 --comment "Opened twice"'))
    .action(async (id: string, flags: { comment?: string }, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const job = await client.jobs.cancel(id, { ...flags, ...tenant });
      await printFields(session, job, toFields(job));
    });
}

function toFields(job: Job): Fields {
  return [
    ['job', job.job_id],
    ['status', job.status],
    ['error', job.error_code],
    ['inputs', job.input_refs.join(', ')],
    ['run', `${job.run_count} of at most ${job.max_runs}`],
    ['reviewed by', job.reviewed_by],
    ['artifacts', job.artifact_refs.join(', ')],
    ['trace', job.trace_id],
    ['created', `${toShortTime(job.created_at)} by ${job.created_by}`],
    ['updated', toShortTime(job.updated_at)],
  ];
}
