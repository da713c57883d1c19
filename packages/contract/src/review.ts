import { type Static, Type } from 'typebox';
import { idOf } from './identifiers.ts';
import { InputRefs, MaxRuns } from './job.ts';
import { closed, stringEnum } from './values.ts';

export const DECISIONS = ['approve', 'amend', 'reject', 'cancel'] as const;
export const ReviewDecision = stringEnum(
  DECISIONS,
  '`approve` applies the recommendation; `amend` runs the workflow again; `reject` and `cancel` end the job.',
);
export type ReviewDecision = Static<typeof ReviewDecision>;

/** What an amendment may change. Anything else in it is refused as `amendment_not_allowed`. */
export const Amendment = Type.Object(
  { input_refs: Type.Optional(InputRefs), max_runs: Type.Optional(MaxRuns) },
  { description: 'New inputs for the next run. What is left out stays; `input_refs` and `max_runs` only.' },
);
export type Amendment = Static<typeof Amendment>;

/** Body of POST /jobs/{id}/review. */
export const Review = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    decision: ReviewDecision,
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4000, description: 'Why, for the audit and the incident.' }),
    ),
    amendment: Type.Optional(Amendment),
  },
  {
    $id: 'Review',
    description: 'A decision about a recommendation. `amendment` goes with `amend`, always and only.',
  },
);
export type Review = Static<typeof Review>;
