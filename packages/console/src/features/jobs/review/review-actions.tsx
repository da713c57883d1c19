import { Button, Modal } from '@mantine/core';
import type { Job, Review } from '@tps/client';
import { useState } from 'react';
import { useAct, useShortcuts } from '../../../kit/index.ts';
import { useCan, useSession } from '../../../session/index.ts';
import { isEnded, JOBS } from '../job-queries.ts';
import { AmendForm } from './amend-form.tsx';
import { CommentedForm } from './commented-form.tsx';

type Decision = 'approve' | 'amend' | 'reject' | 'cancel';

const TITLES: Readonly<Record<Decision, string>> = {
  approve: 'Approve the recommendation',
  amend: 'Amend: run the job again with other inputs',
  reject: 'Reject the recommendation',
  cancel: 'Cancel the job',
};

/** The decisions about a job that are possible now. */
export function ReviewActions({ job }: { readonly job: Job }) {
  const can = useCan();
  const [asked, setAsked] = useState<Decision>();
  const mayReview = (can('jobs:review') || can('jobs:write')) && job.status === 'waiting_review';
  const mayCancel = can('jobs:write') && !isEnded(job);
  useShortcuts([
    ...(mayReview
      ? [
          { keys: 'e', label: 'Approve', group: 'Job', run: () => setAsked('approve') },
          { keys: 'a', label: 'Amend', group: 'Job', run: () => setAsked('amend') },
        ]
      : []),
  ]);
  const close = () => setAsked(undefined);
  if (!mayReview && !mayCancel) return null;
  return (
    <>
      {mayReview && (
        <>
          <Button onClick={() => setAsked('approve')}>Approve…</Button>
          <Button variant="default" onClick={() => setAsked('amend')}>
            Amend…
          </Button>
          <Button variant="default" onClick={() => setAsked('reject')}>
            Reject…
          </Button>
        </>
      )}
      {mayCancel && (
        <Button variant="default" onClick={() => setAsked('cancel')}>
          Cancel job…
        </Button>
      )}
      <Modal opened={asked !== undefined} onClose={close} title={asked && TITLES[asked]}>
        {asked && <AskedForm job={job} asked={asked} onClose={close} />}
      </Modal>
    </>
  );
}

function AskedForm({
  job,
  asked,
  onClose,
}: {
  readonly job: Job;
  readonly asked: Decision;
  readonly onClose: () => void;
}) {
  const { account } = useSession();
  const act = useAct<Partial<Review>, Job>({
    run: async (client, { comment, amendment }, { isRepeat }) => {
      if (isRepeat) {
        // An earlier try, whose answer was lost, may have decided.
        const now = await client.jobs.get(job.job_id);
        const isOwn = now.reviewed_by === account.id && now.updated_at !== job.updated_at;
        if (asked === 'cancel' ? now.status === 'cancelled' : isOwn) return now;
      }
      const said = comment === undefined ? {} : { comment };
      if (asked === 'cancel') return client.jobs.cancel(job.job_id, said);
      return client.jobs.review(job.job_id, { decision: asked, ...said, ...(amendment && { amendment }) });
    },
    changes: [[JOBS], ['history'], ['incidents'], ['alerts'], ['threats']],
    done: {
      approve: 'Recommendation approved',
      amend: 'Run started',
      reject: 'Recommendation rejected',
      cancel: 'Job cancelled',
    }[asked],
    showsError: true,
    onDone: onClose,
  });
  const send = (review: Partial<Review>, clear: () => void) => act.mutate(review, { onSuccess: clear });
  const parts = { draft: `job-${asked}:${job.job_id}`, change: act, onCancel: onClose };
  if (asked === 'amend') {
    return <AmendForm {...parts} job={job} onSubmit={send} />;
  }
  return (
    <CommentedForm
      {...parts}
      act={{ approve: 'Approve', reject: 'Reject', cancel: 'Cancel job' }[asked]}
      hint={HINTS[asked]}
      onSubmit={(comment, clear) => send(comment === '' ? {} : { comment }, clear)}
    />
  );
}

const HINTS: Readonly<Record<Exclude<Decision, 'amend'>, string>> = {
  approve: 'The changes above are applied to the incidents under your name.',
  reject: 'The incidents stay as they are, and the job ends.',
  cancel: 'The job ends. What it has published stays.',
};
