import type { Client, Job, JobBulk } from '@tps/client';
import { type BulkAction, type BulkChunk, bulkAction, clearDraft } from '../../../kit/index.ts';
import { isEnded } from '../job-queries.ts';
import { CommentedForm } from '../review/commented-form.tsx';

type Action = JobBulk['change']['action'];

const isWaiting = ({ status }: Job) => status === 'waiting_review';

interface ActParts {
  readonly action: Action;
  readonly label: string;
  readonly scope: string;
  readonly key?: string;
  readonly appliesTo: (job: Job) => boolean;
  readonly hint: string;
  /** What happened to them: `approved`. */
  readonly done: string;
}

function act({ action, label, hint, done, ...parts }: ActParts): BulkAction<Job> {
  const draft = `jobs-${action}`;
  return bulkAction<Job, { comment: string }>({
    id: action,
    ...parts,
    label: `${label}…`,
    form: ({ submit, cancel }) => (
      <CommentedForm
        draft={draft}
        act={label}
        hint={hint}
        onCancel={cancel}
        onSubmit={(comment) => submit({ comment })}
      />
    ),
    run: async (client, { target, input: { comment }, cursor, signal }) => {
      const selected = 'ids' in target ? { ids: [...target.ids] } : { filter: { ...target.filter } };
      const change = { action, ...(comment !== '' && { comment }) };
      const request = { ...selected, change, ...(cursor !== null && { cursor }) };
      const chunk = await send(client, request, signal);
      clearDraft(draft);
      return chunk;
    },
    done: { one: `job ${done}`, many: `jobs ${done}` },
  });
}

const send = (client: Client, request: JobBulk, signal: AbortSignal): Promise<BulkChunk> =>
  client.jobs.bulk(request, { signal });

/** What can be done with several jobs; `e` also acts on one. */
export const JOB_BULK_ACTIONS = [
  act({
    action: 'approve',
    label: 'Approve',
    scope: 'jobs:review',
    key: 'e',
    appliesTo: isWaiting,
    hint: 'Each recommendation is applied to its incidents under your name.',
    done: 'approved',
  }),
  act({
    action: 'reject',
    label: 'Reject',
    scope: 'jobs:review',
    appliesTo: isWaiting,
    hint: 'The incidents stay as they are, and the jobs end.',
    done: 'rejected',
  }),
  act({
    action: 'cancel',
    label: 'Cancel jobs',
    scope: 'jobs:write',
    appliesTo: (job) => !isEnded(job),
    hint: 'The jobs end. What they have published stays.',
    done: 'cancelled',
  }),
];
