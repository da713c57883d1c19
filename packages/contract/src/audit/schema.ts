import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, stringEnum, Timestamp } from '../schema/values.ts';

export const TOKEN_AUDIT_ACTIONS = ['token.create', 'token.revoke', 'token.denied', 'token.roll'] as const;
export const JOB_AUDIT_ACTIONS = [
  'job.create',
  'job.cancel',
  'job.review.approve',
  'job.review.amend',
  'job.review.reject',
  'job.review.cancel',
] as const;

export const ACTOR_TYPES = ['token', 'account', 'oauth_client', 'command_line', 'service'] as const;
export const AUDIT_OUTCOMES = ['success', 'denied'] as const;

const Name = Type.Optional(
  Type.String({
    description: 'Present name of a member, token or OAuth client of the tenant. Absent if it has left.',
  }),
);

/** A record of a privileged change, written in the same transaction as the change. Append-only. */
export const AuditEntry = closed(
  {
    audit_id: idOf('audit'),
    tenant_id: nullable(idOf('tenant')),
    occurred_at: Timestamp,
    actor: closed({
      type: stringEnum(
        ACTOR_TYPES,
        'Kind of actor. A person who uses an OAuth client is an `account`, a client for itself an `oauth_client`.',
      ),
      id: Type.String(),
      name: Name,
    }),
    action: Type.String({ description: '`<noun>.<verb>`, such as `token.create`.' }),
    resource: closed({ type: Type.String(), id: Type.String(), name: Name }),
    outcome: stringEnum(AUDIT_OUTCOMES, 'Whether the action was allowed.'),
    request_id: nullable(Type.String()),
    detail: Type.String({ description: 'One line of text.' }),
    fields: Type.Record(Type.String(), Type.Unknown(), { description: 'The same facts as structured data.' }),
    token_id: Type.Optional(idOf('token')),
    job_id: Type.Optional(idOf('job')),
    reviewed_by: Type.Optional(
      Type.String({
        description: 'On a review: ID of the token, account or OAuth client that made the decision.',
      }),
    ),
  },
  {
    $id: 'AuditEntry',
    description: 'Actor, action and resource of a privileged change, and whether it was allowed.',
  },
);
export type AuditEntry = Static<typeof AuditEntry>;
