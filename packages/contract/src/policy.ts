import { type Static, Type } from 'typebox';
import { idOf } from './schema/identifiers.ts';
import {
  Action,
  Confidence,
  closed,
  DisplayName,
  nullable,
  ThreatCategory,
  Timestamp,
} from './schema/values.ts';

const Categories = Type.Array(ThreatCategory, { minItems: 1, maxItems: 6, uniqueItems: true });

/** What a device does about which threats. */
export const Policy = closed(
  {
    policy_id: idOf('policy'),
    tenant_id: idOf('tenant'),
    name: DisplayName,
    threat_categories: Categories,
    action: Action,
    confidence_threshold: Type.Optional(Confidence),
    enabled: Type.Boolean({ description: 'An archived policy is never enabled.' }),
    version: Type.Integer({ minimum: 1, description: 'Rises by one with each change.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    archived_at: nullable(Timestamp),
  },
  { $id: 'Policy', description: 'What devices do about which threats.' },
);
export type Policy = Static<typeof Policy>;

export const NewPolicy = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    policy_id: Type.Optional(idOf('policy', 'Made by the service when left out.')),
    name: DisplayName,
    threat_categories: Categories,
    action: Action,
    confidence_threshold: Type.Optional(Confidence),
    enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  { $id: 'NewPolicy', description: 'A policy to make.' },
);
export type NewPolicy = Static<typeof NewPolicy>;

export const PolicyChange = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    name: Type.Optional(DisplayName),
    threat_categories: Type.Optional(Categories),
    action: Type.Optional(Action),
    confidence_threshold: Type.Optional(nullable(Confidence)),
    enabled: Type.Optional(Type.Boolean()),
  },
  { $id: 'PolicyChange', minProperties: 1, description: 'Members to change; the others stay.' },
);
export type PolicyChange = Static<typeof PolicyChange>;
