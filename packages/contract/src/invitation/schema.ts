import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { RoleName } from '../schema/roles.ts';
import { closed, nullable, stringEnum, Timestamp, timestampOf } from '../schema/values.ts';

/** The longest lifetime of an invitation, in seconds. */
export const MAX_INVITATION_S = 30 * 86_400;
/** Lifetime of an invitation without `expires_in_s`. */
export const DEFAULT_INVITATION_S = 7 * 86_400;

/** The longest address that a mail can be sent to (RFC 5321, section 4.5.3.1.3, without the brackets). */
export const MAX_EMAIL_LENGTH = 254;

const EMAIL_PART = '[^\\s\\x00-\\x1f\\x7f@"(),:;<>\\[\\\\\\]]+';

/** An address that needs no quoting: no spaces, control characters, quotation marks, lists or comments. */
export const Email = Type.String({
  minLength: 3,
  maxLength: MAX_EMAIL_LENGTH,
  pattern: `^${EMAIL_PART}@${EMAIL_PART}$`,
  description: 'E-mail address.',
});

export const INVITATION_STATUSES = ['pending', 'accepted', 'expired', 'revoked'] as const;
export const InvitationStatus = stringEnum(
  INVITATION_STATUSES,
  'Only a `pending` invitation can be accepted.',
);
export type InvitationStatus = Static<typeof InvitationStatus>;

const invitationMetadata = {
  invitation_id: idOf('invitation'),
  tenant_id: idOf('tenant'),
  email: nullable(
    Type.String({ description: 'The only address that can accept it; null if any account can.' }),
  ),
  role: RoleName,
  created_at: Timestamp,
  created_by: Type.String({ description: 'ID of the account or token that created it, or `command_line`.' }),
  expires_at: Timestamp,
  accepted_at: nullable(Timestamp),
  accepted_by: nullable(idOf('account')),
  revoked_at: nullable(timestampOf('When it was revoked; null if it was not.')),
  status: InvitationStatus,
};

/** An invitation without its link, of which only a hash is stored. */
export const Invitation = closed(invitationMetadata, {
  $id: 'Invitation',
  description: 'An invitation of a person to a tenant.',
});
export type Invitation = Static<typeof Invitation>;

/** Response of POST /invitations: the only time that the link is shown. */
export const CreatedInvitation = closed(
  {
    ...invitationMetadata,
    link: Type.Optional(
      Type.String({
        description:
          'Page on which the person accepts. Shown only once, and works once. Absent when the request repeats an `Idempotency-Key`.',
      }),
    ),
    mail: Type.Optional(
      stringEnum(
        ['sent', 'failed', 'limited', 'none'],
        '`sent`: the mail server has accepted a mail with the link. `failed`: it has not; send the link yourself. `limited`: this address has been sent too many invitations, or the tenant has sent too many; send the link yourself. `none`: the invitation names no address, or the service sends no mail; send the link yourself. Absent when the request repeats an `Idempotency-Key`.',
      ),
    ),
  },
  { $id: 'CreatedInvitation', description: 'An invitation and, once only, its link.' },
);
export type CreatedInvitation = Static<typeof CreatedInvitation>;

export const NewInvitation = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    email: Type.Optional(Email),
    role: RoleName,
    expires_in_s: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: MAX_INVITATION_S,
        default: DEFAULT_INVITATION_S,
        description: 'Seconds until it expires. An invitation by an API token does not outlive the token.',
      }),
    ),
  },
  { $id: 'NewInvitation', description: 'An invitation to create.' },
);
export type NewInvitation = Static<typeof NewInvitation>;
