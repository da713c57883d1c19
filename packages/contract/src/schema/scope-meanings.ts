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
  'status:read': 'Read the protection status and statistics.',
  'events:read': 'Read the event feed.',
  'events:write': 'Submit signed events.',
  'jobs:read': 'Read jobs, traces, steps and artifacts.',
  'jobs:write': 'Create and cancel jobs.',
  'jobs:review': 'Review jobs that are waiting for a decision.',
  'tokens:read': 'Read token metadata, OAuth clients and the token audit.',
  'tokens:write': 'Create and revoke tokens and OAuth clients.',
  'audit:read': 'Read all audit entries of the tenant.',
  'members:read': 'List members and invitations, and read the sign-on settings.',
  'members:write': 'Invite, change and remove members, and change the sign-on settings.',
  'notices:read': 'List notice channels and notices.',
  'notices:write': 'Create, change, test and delete notice channels.',
  'settings:write': 'Request the deletion of the tenant, and export and delete data.',
  'views:write': 'List saved views, and keep your own.',
  'views:share': 'Share saved views, and change shared ones.',
  'webhooks:read': 'Read webhooks and dead letters.',
  'webhooks:write': 'Create webhooks and replay dead letters.',
} as const;

export type Scope = keyof typeof SCOPE_MEANINGS;
export const SCOPES = Object.keys(SCOPE_MEANINGS) as Scope[];

export const ROLES = ['viewer', 'analyst', 'admin'] as const;
/** What a person may do in a tenant: a named set of scopes. */
export type Role = (typeof ROLES)[number];

const VIEWER: readonly Scope[] = [
  'devices:read',
  'threats:read',
  'alerts:read',
  'incidents:read',
  'scan:write',
  'status:read',
  'events:read',
  'jobs:read',
  'notices:read',
  'views:write',
  'webhooks:read',
];
const ANALYST: readonly Scope[] = [
  ...VIEWER,
  'alerts:write',
  'incidents:write',
  'jobs:write',
  'jobs:review',
  'views:share',
];

/** The scopes of each role. Each role has those of the one before it. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: VIEWER,
  analyst: ANALYST,
  admin: SCOPES,
};
