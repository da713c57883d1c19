import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, stringEnum, Timestamp, timestampOf } from '../schema/values.ts';
import { DEFAULT_DELETION_DAYS } from '../schema/vocabulary.ts';

/** A request of an admin to delete the tenant. */
export const TenantDeletionRequest = closed(
  {
    due_at: timestampOf('When the tenant is deleted permanently. Until then it works as before.'),
    requested_by: closed({ type: Type.String(), id: Type.String() }),
  },
  { $id: 'TenantDeletionRequest', description: 'A request to delete the tenant with all its data.' },
);
export type TenantDeletionRequest = Static<typeof TenantDeletionRequest>;

/** A fact about how the service treats the tenant. */
export const Setting = closed(
  {
    key: Type.String({
      description: 'Stable name, `<group>.<name>`, such as `retention.events`. New ones may be added.',
    }),
    value: nullable(Type.Union([Type.Number(), Type.Boolean(), Type.String()])),
    unit: nullable(
      stringEnum(['days', 'hours', 'seconds', 'bytes', 'requests_per_minute'], 'Unit of a number.'),
    ),
    description: Type.String({ description: 'One line of text.' }),
    set_by: stringEnum(
      ['service', 'tenant', 'fixed'],
      '`service`: for all tenants, by the operator. `tenant`: for this tenant. `fixed`: cannot be changed.',
    ),
    changed_with: nullable(
      Type.String({ description: 'The command or the variable of the service that changes it.' }),
    ),
  },
  { $id: 'Setting', description: 'A fact about how the service treats the tenant.' },
);
export type Setting = Static<typeof Setting>;

/** What is in effect for a tenant. */
export const TenantSettings = closed(
  {
    tenant_id: idOf('tenant'),
    name: Type.String(),
    environment: stringEnum(['live', 'test'], 'The prefix of its credentials.'),
    created_at: Timestamp,
    version: Type.String({ description: 'Version of the service.' }),
    settings: Type.Array(Setting),
    deletion: nullable(TenantDeletionRequest),
  },
  { $id: 'TenantSettings', description: 'What is in effect for a tenant.' },
);
export type TenantSettings = Static<typeof TenantSettings>;

export const MIN_DELETION_DAYS = 7;
export const MAX_DELETION_DAYS = 90;

export const NewDeletionRequest = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The name of the tenant, exactly, as a confirmation.',
    }),
    after_days: Type.Optional(
      Type.Integer({
        minimum: MIN_DELETION_DAYS,
        maximum: MAX_DELETION_DAYS,
        default: DEFAULT_DELETION_DAYS,
        description: 'Days until the deletion, in which it can be cancelled.',
      }),
    ),
  },
  { $id: 'NewDeletionRequest', description: 'Confirms the deletion of the tenant.' },
);
export type NewDeletionRequest = Static<typeof NewDeletionRequest>;
