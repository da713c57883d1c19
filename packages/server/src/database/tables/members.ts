import { CHANGEABLE, ONLY_HERE, SHORT_LIVED, table, tablesOf } from './table.ts';

export const MEMBERS_TABLES = tablesOf('members', {
  /** Which account belongs to which tenant, and its role there. */
  memberships: table({
    key: ['tenant_id', 'account_id'],
    columns: {
      tenant_id: 'text',
      account_id: 'text',
      role: 'text',
      created_at: 'time',
      /** Id of the inviting account or token, or `command_line`. */
      created_by: 'text',
    },
    verify: {
      notCompared: {
        [CHANGEABLE]: ['tenant_id', 'account_id', 'role'],
        [ONLY_HERE]: ['created_at', 'created_by'],
      },
      missingRows: CHANGEABLE,
    },
    creator: { stays: 'an invited person does not depend on the inviter' },
  }),
  /** Links with which people join a tenant. */
  invitations: table({
    key: ['tenant_id', 'invitation_id'],
    columns: {
      tenant_id: 'text',
      invitation_id: 'text',
      /** Lower-case hex SHA-256 of the link's secret. */
      token_hash: 'text',
      /** The same for the secret that only the mailed link has; null if the invitation names no address. */
      proof_hash: 'text or null',
      /** The only address that may accept; null for any. */
      email: 'text or null',
      role: 'text',
      created_at: 'time',
      created_by: 'text',
      expires_at: 'time',
      accepted_at: 'time or null',
      accepted_by: 'text or null',
      revoked_at: 'time or null',
    },
    verify: {
      notCompared: SHORT_LIVED,
      missingRows: SHORT_LIVED,
    },
    creator: { holdings: ['invitation'] },
  }),
});
