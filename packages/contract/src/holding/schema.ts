import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, stringEnum, timestampOf } from '../schema/values.ts';
import { HOLDING_KINDS } from '../schema/vocabulary.ts';

export const HoldingKind = stringEnum(
  HOLDING_KINDS,
  'Kind of the holding. `sign_on` is the single sign-on of the tenant; its ID is that of the tenant.',
);
export type HoldingKind = Static<typeof HoldingKind>;

const HoldingId = Type.String({ minLength: 1, maxLength: 80, description: 'ID of the object.' });

/** Something that acts on the authority of its owner. */
export const Holding = closed(
  {
    kind: HoldingKind,
    id: HoldingId,
    name: Type.String({ description: 'Name of the object; the origin of the URL for a webhook.' }),
    owner_id: Type.String({
      description:
        'ID of an owner: an account, token or OAuth client that set it up, has adopted it, or has changed what opens it or what it may do.',
    }),
    other_owner_ids: Type.Array(Type.String({ description: 'ID of an account, token or OAuth client.' }), {
      description: 'IDs of its other owners: it ends with each of them too.',
    }),
    via_client_id: nullable(
      Type.String({ description: 'ID of the OAuth client through which the person acted.' }),
    ),
    owned_since: timestampOf('When the owner set it up, adopted or changed it.'),
    at_end: stringEnum(
      ['revoked', 'deleted', 'disabled'],
      'What happens to it when the authority of its owner ends.',
    ),
    can_be_adopted: Type.Boolean({
      description:
        'Whether the caller can adopt it. An OAuth client can be adopted by the one who has replaced its secret or keys, and single sign-on by the one who has saved its settings, unless another owner has changed it since. A token, enrolment secret or invitation cannot be adopted: create a new one.',
    }),
  },
  { $id: 'Holding', description: 'Something that acts on the authority of its owner, and ends with it.' },
);
export type Holding = Static<typeof Holding>;

export const HoldingAdoption = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    items: Type.Array(closed({ kind: HoldingKind, id: HoldingId }, {}), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'What to adopt.',
    }),
  },
  { $id: 'HoldingAdoption', description: 'What the caller adopts.' },
);
export type HoldingAdoption = Static<typeof HoldingAdoption>;

export const AdoptedHoldings = closed(
  { data: Type.Array(Holding) },
  { $id: 'AdoptedHoldings', description: 'What the caller now owns.' },
);
export type AdoptedHoldings = Static<typeof AdoptedHoldings>;
