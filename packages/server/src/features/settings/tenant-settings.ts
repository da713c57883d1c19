import type { Setting } from '@tps/contract';
import { DELIVERY_RETENTION_DAYS, OWN_VIEW_LIMIT, VIEW_LIMIT, WEBHOOK_LIMIT } from '@tps/contract/vocabulary';
import type { Config } from '../../platform/config/config.ts';
import { SESSION_IDLE_MS, SESSION_LIFETIME_MS } from '../accounts/index.ts';
import { DATA_CLASSES, type DataClass, DESCRIPTIONS, type Retention } from '../maintenance/index.ts';
import { ACCESS_TOKEN_S } from '../oauth/index.ts';
import type { TenantRecord } from '../tenants/index.ts';

type ServiceConfig = Pick<Config, 'limits' | 'devices' | 'monitoring'>;

/** What the settings of a tenant follow from. */
export interface SettingsFacts {
  readonly tenant: TenantRecord;
  readonly config: ServiceConfig;
  readonly retention: Readonly<Record<DataClass, Retention>>;
  readonly limits: {
    readonly tenant: number;
    readonly reserves: { readonly programs: number; readonly devices: number; readonly people: number };
  };
  readonly signOn: { readonly isRequired: boolean } | undefined;
}

/** Lists what is in effect for a tenant, group by group. Pure. */
export function toSettings(facts: SettingsFacts): Setting[] {
  return [
    ...toRetention(facts),
    ...toRequestLimits(facts),
    ...toSizes(facts.config.limits),
    ...toSignIn(facts),
    ...toDevices(facts.config),
    toTriage(facts.tenant),
  ];
}

function toRetention({ retention }: SettingsFacts): Setting[] {
  const configurable = DATA_CLASSES.map((dataClass): Setting => {
    const { days, setBy } = retention[dataClass];
    return {
      key: `retention.${dataClass}`,
      value: days,
      unit: 'days',
      description: DESCRIPTIONS[dataClass],
      set_by: setBy,
      changed_with: `tps retention set <tenant> ${dataClass}`,
    };
  });
  const deliveries = 'deliveries and dead letters, after their last attempt';
  return [
    ...configurable,
    { ...fixed('retention.deliveries', DELIVERY_RETENTION_DAYS, deliveries), unit: 'days' },
  ];
}

function toRequestLimits({ tenant, limits }: SettingsFacts): Setting[] {
  const about = {
    unit: 'requests_per_minute',
    set_by: tenant.rateLimitPerMinute === null ? 'service' : 'tenant',
    changed_with: 'tps tenants set-limit <tenant>',
  } as const;
  return [
    {
      ...about,
      key: 'limits.requests',
      value: limits.tenant,
      description: 'accepted requests in any minute',
    },
    {
      ...about,
      key: 'limits.other_requests',
      value: limits.tenant - limits.reserves.devices,
      description: 'of these, at most for requests of programs and people',
    },
    {
      ...about,
      key: 'limits.reserved_for_devices',
      value: limits.reserves.devices,
      description: 'of these, only for devices and their events',
    },
    {
      ...about,
      key: 'limits.reserved_for_people',
      value: limits.reserves.people,
      description: 'of these, only for people in the console, while any use it',
    },
    {
      ...about,
      key: 'limits.reserved_for_programs',
      value: limits.reserves.programs,
      description: 'of these, only for programs, while any send requests',
    },
    fixed('limits.webhooks', WEBHOOK_LIMIT, 'webhooks of the tenant'),
    fixed('limits.own_views', OWN_VIEW_LIMIT, 'saved views of one owner'),
    fixed('limits.views', VIEW_LIMIT, 'saved views of the tenant'),
  ];
}

function toSizes(limits: ServiceConfig['limits']): Setting[] {
  const size = (name: string, value: number, texts: [description: string, variable: string]): Setting => ({
    key: `limits.${name}`,
    value,
    unit: 'bytes',
    description: texts[0],
    set_by: 'service',
    changed_with: texts[1],
  });
  return [
    size('body', limits.bodyBytes, ['body of a request', 'SERVICE_BODY_LIMIT_BYTES']),
    size('batch_body', limits.batchBodyBytes, [
      'body of a batch of events',
      'SERVICE_BATCH_BODY_LIMIT_BYTES',
    ]),
    size('scan_body', limits.scanBodyBytes, ['body of a scan', 'SERVICE_SCAN_BODY_LIMIT_BYTES']),
  ];
}

function toSignIn({ signOn }: SettingsFacts): Setting[] {
  const provider = { unit: null, set_by: 'tenant', changed_with: 'tps sign-on set' } as const;
  return [
    {
      ...provider,
      key: 'sign_in.provider',
      value: signOn !== undefined,
      description: 'whether people can sign in at the provider of the tenant',
    },
    {
      ...provider,
      key: 'sign_in.provider_required',
      value: signOn?.isRequired ?? false,
      description: 'whether people other than admins must sign in there',
    },
    { ...fixed('sign_in.idle', SESSION_IDLE_MS / 1000, 'a session ends when unused'), unit: 'seconds' },
    {
      ...fixed('sign_in.lifetime', SESSION_LIFETIME_MS / 1000, 'a session ends at the latest'),
      unit: 'seconds',
    },
    { ...fixed('sign_in.access_token', ACCESS_TOKEN_S, 'lifetime of an access token'), unit: 'seconds' },
  ];
}

function toDevices({ devices, monitoring }: ServiceConfig): Setting[] {
  return [
    {
      key: 'devices.credential',
      value: devices.credentialDays,
      unit: 'days',
      description: 'lifetime of the credential of a device, which renews it',
      set_by: 'service',
      changed_with: 'SERVICE_DEVICE_CREDENTIAL_DAYS',
    },
    {
      key: 'devices.silent',
      value: monitoring.silentHours,
      unit: 'hours',
      description: 'a device without events for this long is reported as silent',
      set_by: 'service',
      changed_with: 'SERVICE_SILENT_DEVICE_HOURS',
    },
  ];
}

function toTriage({ triageAtOnce }: TenantRecord): Setting {
  return {
    key: 'triage.at_once',
    value: triageAtOnce,
    unit: null,
    description: 'automatic triages at the same time; null if automatic triage is off',
    set_by: 'tenant',
    changed_with: 'tps tenants set-triage <tenant>',
  };
}

function fixed(key: string, value: number, description: string): Setting {
  return { key, value, unit: null, description, set_by: 'fixed', changed_with: null };
}
