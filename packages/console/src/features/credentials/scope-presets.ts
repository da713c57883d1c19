import { SCOPES, type Scope } from '@tps/contract/vocabulary';

/** Scopes that are often given together. */
interface ScopePreset {
  readonly value: string;
  readonly label: string;
  /** For whom it is. */
  readonly purpose: string;
  readonly scopes: readonly Scope[];
}

export const SCOPE_PRESETS: readonly ScopePreset[] = [
  {
    value: 'read',
    label: 'Read everything that devices report',
    purpose: 'For a SIEM, an export or a dashboard.',
    scopes: [
      'devices:read',
      'threats:read',
      'alerts:read',
      'incidents:read',
      'status:read',
      'events:read',
      'jobs:read',
    ],
  },
  {
    value: 'triage',
    label: 'Triage',
    purpose: 'For automation that works on incidents and jobs.',
    scopes: [
      'devices:read',
      'threats:read',
      'alerts:read',
      'incidents:read',
      'incidents:write',
      'status:read',
      'events:read',
      'jobs:read',
      'jobs:write',
    ],
  },
  {
    value: 'devices',
    label: 'Register devices and send events',
    purpose: 'For a gateway or a management system of devices.',
    scopes: ['devices:read', 'devices:write', 'status:read', 'events:write'],
  },
  {
    value: 'webhooks',
    label: 'Manage webhooks',
    purpose: 'For an integration that registers its own receiver.',
    scopes: ['events:read', 'webhooks:read', 'webhooks:write'],
  },
  {
    value: 'scan',
    label: 'Scan content',
    purpose: 'For a program that submits messages, links or files.',
    scopes: ['scan:write'],
  },
];

/** Returns the preset that has exactly these scopes. */
export function presetOf(scopes: readonly string[]): ScopePreset | undefined {
  return SCOPE_PRESETS.find(
    (preset) =>
      preset.scopes.length === scopes.length && preset.scopes.every((scope) => scopes.includes(scope)),
  );
}

/** Names scopes in a few words, for lists. */
export function toScopeSummary(scopes: readonly string[]): string {
  if (scopes.length === SCOPES.length) return 'All scopes';
  const preset = presetOf(scopes);
  if (preset) return preset.label;
  return scopes.length <= 2 ? scopes.join(', ') : `${scopes.length} scopes`;
}

/** The scopes of one noun, in the order of the contract. */
interface ScopeRow {
  readonly noun: string;
  readonly scopes: readonly Scope[];
}

/** Scopes that no operation requires are not offered. */
const RESERVED: readonly Scope[] = ['alerts:write'];

export function scopeRows(): readonly ScopeRow[] {
  const nouns = [...new Set(SCOPES.map((scope) => scope.split(':')[0] ?? ''))];
  return nouns.map((noun) => ({
    noun,
    scopes: SCOPES.filter((scope) => scope.startsWith(`${noun}:`) && !RESERVED.includes(scope)),
  }));
}
