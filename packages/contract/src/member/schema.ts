import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { RoleName } from '../schema/roles.ts';
import { closed, nullable, Timestamp, timestampOf } from '../schema/values.ts';

/** A person's membership in a tenant. */
export const Member = closed(
  {
    account_id: idOf('account'),
    tenant_id: idOf('tenant'),
    email: Type.String({ description: 'E-mail address of the account.' }),
    email_verified: Type.Boolean({
      description:
        'Whether the person has proved that the address is theirs. If not, anyone who had an open invitation may have entered it.',
    }),
    name: Type.String({ description: 'Name that the person chose.' }),
    role: RoleName,
    created_at: Timestamp,
    created_by: Type.String({
      description: 'ID of the account or token that invited the person, or `command_line`.',
    }),
    last_seen_at: nullable(timestampOf('When the person last used a session; null if none is known.')),
    has_second_factor: Type.Boolean({
      description: 'Whether the account has a second factor or a passkey.',
    }),
  },
  { $id: 'Member', description: 'A person who has access to the tenant, and their role in it.' },
);
export type Member = Static<typeof Member>;

export const MemberUpdate = closed(
  { tenant_id: Type.Optional(idOf('tenant')), role: RoleName },
  { $id: 'MemberUpdate', description: 'The role that a member gets.' },
);
export type MemberUpdate = Static<typeof MemberUpdate>;
