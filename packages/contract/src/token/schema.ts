import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { ScopeList } from '../schema/scopes.ts';
import { closed, DisplayName, nullable, stringEnum, Timestamp } from '../schema/values.ts';

export const ENVIRONMENTS = ['live', 'test'] as const;
export const Environment = stringEnum(
  ENVIRONMENTS,
  'Environment of the tenant; it is part of the credential.',
);
export type Environment = Static<typeof Environment>;

export const TOKEN_STATUSES = ['active', 'expired', 'revoked'] as const;
export const TokenStatus = stringEnum(TOKEN_STATUSES, 'Only an `active` token is accepted.');
export type TokenStatus = Static<typeof TokenStatus>;

const tokenMetadata = {
  token_id: idOf('token'),
  tenant_id: nullable(idOf('tenant')),
  name: DisplayName,
  scopes: ScopeList,
  environment: Environment,
  device_id: Type.Optional(
    idOf('device', 'On a device credential: the device that it is bound to. Absent on other tokens.'),
  ),
  hint: Type.String({ description: 'Prefix and last four characters, to recognize the credential.' }),
  created_at: Timestamp,
  created_by: Type.String({
    description:
      'ID of the token that created it, or `command_line`. It stays valid when that token is revoked.',
  }),
  expires_at: nullable(Timestamp),
  last_used_at: nullable(Timestamp),
  revoked_at: nullable(Timestamp),
  status: TokenStatus,
};

/** A credential's metadata. The credential itself is not stored, only its SHA-256. */
export const Token = closed(tokenMetadata, { $id: 'Token', description: 'Metadata of a credential.' });
export type Token = Static<typeof Token>;

/** Response of POST /tokens and of a roll: the only time that the credential is shown. */
export const CreatedToken = closed(
  {
    ...tokenMetadata,
    token: Type.Optional(
      Type.String({
        description: 'The credential, shown only once. Absent when the request repeats an `Idempotency-Key`.',
      }),
    ),
  },
  { $id: 'CreatedToken', description: 'Metadata of a credential and, once only, the credential itself.' },
);
export type CreatedToken = Static<typeof CreatedToken>;

export const NewToken = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    name: DisplayName,
    scopes: ScopeList,
    expires_at: Type.Optional(Timestamp),
  },
  {
    $id: 'NewToken',
    description:
      'A token to create. It can have only scopes that the caller has, and cannot expire after the caller: without `expires_at` it expires with the caller.',
  },
);
export type NewToken = Static<typeof NewToken>;

/** Maximum time for which a rolled token stays valid beside its successor, in seconds. */
export const MAX_ROLL_GRACE_S = 604_800;

export const TokenRoll = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    grace_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_ROLL_GRACE_S,
        default: 0,
        description: 'Seconds for which the old token stays valid.',
      }),
    ),
  },
  { $id: 'TokenRoll', description: 'How to replace a token.' },
);
export type TokenRoll = Static<typeof TokenRoll>;
