import type { Setting } from '@tps/client';
import { toDuration, toWords } from '../../kit/index.ts';

/** Names of the groups of settings, in the order of the page. */
const GROUPS: Readonly<Record<string, string>> = {
  retention: 'Retention',
  limits: 'Limits',
  sign_in: 'Sign-in',
  devices: 'Devices',
  triage: 'Automatic triage',
};

const NAMES: Readonly<Record<string, string>> = {
  'limits.body': 'Request body',
  'limits.batch_body': 'Batch of events',
  'limits.scan_body': 'Scan',
  'limits.requests': 'Requests',
  'limits.other_requests': 'Requests of programs and people',
  'limits.reserved_for_devices': 'Requests kept for devices',
  'limits.reserved_for_people': 'Requests kept for people',
  'limits.reserved_for_programs': 'Requests kept for programs',
  'sign_in.provider': 'OpenID provider',
  'sign_in.provider_required': 'Provider required',
  'sign_in.idle': 'Session idle timeout',
  'sign_in.lifetime': 'Maximum session lifetime',
  'sign_in.access_token': 'Access token',
  'devices.credential': 'Device credential',
  'devices.silent': 'Silent device after',
  'triage.at_once': 'Concurrent jobs',
};

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting[];
}

/** Sorts settings into groups. A group that this version does not know comes last. */
export function groupSettings(settings: readonly Setting[]): readonly SettingGroup[] {
  const groups = new Map<string, Setting[]>(Object.keys(GROUPS).map((group) => [group, []]));
  for (const setting of settings) {
    const [group = ''] = setting.key.split('.', 1);
    groups.set(group, [...(groups.get(group) ?? []), setting]);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([group, members]) => ({ title: GROUPS[group] ?? toWords(group), settings: members }));
}

export function nameText({ key }: Setting): string {
  return NAMES[key] ?? toWords(key.slice(key.indexOf('.') + 1));
}

const KIB = 1024;
const MIB = KIB * KIB;

/** Returns the value of a setting with its unit. */
export function valueText({ value, unit }: Setting): string {
  if (value === null) return 'Off';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string') return value;
  const count = value.toLocaleString();
  switch (unit) {
    case 'days':
      return value === 1 ? '1 day' : `${count} days`;
    case 'hours':
      return value === 1 ? '1 hour' : `${count} hours`;
    case 'seconds':
      return toDuration(value * 1000) ?? `${count} s`;
    case 'bytes':
      return value >= MIB ? `${round(value / MIB)} MiB` : `${round(value / KIB)} KiB`;
    case 'requests_per_minute':
      return `${count} per minute`;
    case null:
      return count;
  }
}

function round(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: 1 });
}
