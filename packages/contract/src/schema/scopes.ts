import { type Static, Type } from 'typebox';
import { stringEnum } from './values.ts';

/** What each scope permits. A scope does not include another one. */
export const SCOPE_MEANINGS = {
  'devices:read': 'List devices, policies and indicators, and read their details.',
  'devices:write': 'Register and configure devices and policies, and import indicators.',
  'threats:read': 'List threats and read their details.',
  'alerts:read': 'Read derived alerts.',
  'alerts:write': 'Reserved: no operation requires it.',
  'incidents:read': 'Read incidents.',
  'incidents:write': 'Change the status and the other members of incidents.',
  'scan:write': 'Submit content for analysis.',
  'status:read': 'Read the protection status.',
  'events:read': 'Read the event feed.',
  'events:write': 'Submit signed events.',
  'jobs:read': 'Read jobs, traces, steps and artifacts.',
  'jobs:write': 'Create and cancel jobs.',
  'jobs:review': 'Review jobs that are waiting for a decision.',
  'tokens:read': 'Read token metadata and the token audit.',
  'tokens:write': 'Create and revoke tokens.',
  'webhooks:read': 'Read webhooks and dead letters.',
  'webhooks:write': 'Create webhooks and replay dead letters.',
} as const;

export type Scope = keyof typeof SCOPE_MEANINGS;
export const SCOPES = Object.keys(SCOPE_MEANINGS) as Scope[];

export const ScopeName = stringEnum(SCOPES, 'A permission, `<noun>:<verb>`.') as ReturnType<
  typeof Type.Unsafe<Scope>
>;
export const ScopeList = Type.Array(ScopeName, { minItems: 1, maxItems: SCOPES.length, uniqueItems: true });
export type ScopeList = Static<typeof ScopeList>;
