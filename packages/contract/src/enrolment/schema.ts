import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, DisplayName, nullable, Timestamp, timestampOf } from '../schema/values.ts';
import { Environment, TokenStatus } from '../token/schema.ts';

/** The most devices that one enrolment secret registers. */
export const MAX_ENROLMENT_USES = 100_000;
/** The longest lifetime of an enrolment secret. */
export const MAX_ENROLMENT_DAYS = 365;
/** Lifetime of an enrolment secret without `expires_at`. */
export const DEFAULT_ENROLMENT_DAYS = 7;

const maxUses = Type.Integer({
  minimum: 1,
  maximum: MAX_ENROLMENT_USES,
  default: 1,
  description: 'How many new devices the secret registers.',
});

const enrolmentMetadata = {
  enrolment_id: idOf('enrolment'),
  tenant_id: idOf('tenant'),
  name: DisplayName,
  max_uses: maxUses,
  uses: Type.Integer({ minimum: 0, description: 'How many new devices the secret has registered so far.' }),
  environment: Environment,
  hint: Type.String({ description: 'Prefix and last four characters, to recognize the secret.' }),
  created_at: Timestamp,
  created_by: Type.String({ description: 'ID of the token that created it.' }),
  expires_at: Timestamp,
  last_used_at: nullable(Timestamp),
  revoked_at: nullable(Timestamp),
  status: TokenStatus,
};

/** Metadata of an enrolment secret. The secret itself is not stored, only its SHA-256. */
export const Enrolment = closed(enrolmentMetadata, {
  $id: 'Enrolment',
  description: 'Metadata of a secret with which devices register themselves.',
});
export type Enrolment = Static<typeof Enrolment>;

/** Response of POST /enrolments: the only time that the secret is shown. */
export const CreatedEnrolment = closed(
  {
    ...enrolmentMetadata,
    secret: Type.Optional(
      Type.String({
        description: 'The secret, shown only once. Absent when the request repeats an `Idempotency-Key`.',
      }),
    ),
  },
  { $id: 'CreatedEnrolment', description: 'Metadata of an enrolment secret and, once only, the secret.' },
);
export type CreatedEnrolment = Static<typeof CreatedEnrolment>;

export const NewEnrolment = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    name: DisplayName,
    max_uses: Type.Optional(maxUses),
    expires_at: Type.Optional(
      timestampOf(
        `When the secret ends: at most ${MAX_ENROLMENT_DAYS} days ahead. Default: in ${DEFAULT_ENROLMENT_DAYS} days.`,
      ),
    ),
  },
  { $id: 'NewEnrolment', description: 'An enrolment secret to create.' },
);
export type NewEnrolment = Static<typeof NewEnrolment>;
