import { type CheckResult, fail, ok, warn } from './check-result.ts';
import { pathOf } from './check-service.ts';
import { probe } from './probe.ts';

/** A read for each scope, which changes nothing. */
const READS = [
  ['status:read', '/status'],
  ['events:read', '/events?limit=1'],
  ['threats:read', '/threats?limit=1'],
  ['incidents:read', '/incidents?limit=1'],
  ['devices:read', '/devices?limit=1'],
  ['jobs:read', '/jobs?limit=1'],
  ['webhooks:read', '/webhooks?limit=1'],
  ['tokens:read', '/tokens?limit=1'],
] as const;

interface Speaking {
  readonly url: string;
  readonly credential: string;
  readonly tenant: string | undefined;
  /** Of this program. */
  readonly version: string;
}

/** Tells whether the service knows a credential, what it may read, and whether the versions fit. */
export async function checkCredential({
  url,
  credential,
  tenant,
  version,
}: Speaking): Promise<CheckResult[]> {
  const held: string[] = [];
  const missing: string[] = [];
  let serviceVersion: unknown;
  for (const [scope, path] of READS) {
    const target = pathOf(url, path);
    if (tenant !== undefined) target.searchParams.set('tenant_id', tenant);
    const answer = await probe(target, credential);
    if (answer.kind === 'unreachable' || ![200, 403].includes(answer.status)) return [toRefusal(answer)];
    (answer.status === 200 ? held : missing).push(scope);
    if (path === '/status') serviceVersion = (answer.body as { version?: unknown } | undefined)?.version;
  }
  const lacks = missing.length === 0 ? '' : `; it lacks ${missing.join(', ')}`;
  return [
    ok('credential', `Valid for ${held.join(', ') || 'writing only'}${lacks}.`),
    ...(typeof serviceVersion === 'string' ? [checkVersion(serviceVersion, version)] : []),
  ];
}

function toRefusal(answer: Awaited<ReturnType<typeof probe>>): CheckResult {
  if (answer.kind === 'unreachable') {
    return fail('credential', `It could not be tried (${answer.code}).`, 'Mend the connection first.');
  }
  const { error } = (answer.body as { error?: { code?: string; message?: string } } | undefined) ?? {};
  if (answer.status === 401) {
    return fail(
      'credential',
      'The service does not know it: wrong, expired or revoked.',
      'Run `tps login` with another.',
    );
  }
  if (error?.code === 'tenant_required') {
    return warn(
      'credential',
      "Valid, an operator's: it names no tenant.",
      'Give --tenant, or save it with the profile.',
    );
  }
  if (answer.status === 429) {
    return warn(
      'credential',
      'The rate limit is reached.',
      'Wait a minute, or raise the limit: tps tenants limit.',
    );
  }
  return fail(
    'credential',
    `The service answers ${answer.status}: ${error?.message ?? 'nothing it would say'}.`,
    'Look at its log.',
  );
}

function checkVersion(service: string, own: string): CheckResult {
  const [major, minor] = service.split('.');
  const [ownMajor, ownMinor] = own.split('.');
  return major === ownMajor && minor === ownMinor
    ? ok('version', `The service is ${service}, tps is ${own}.`)
    : warn('version', `The service is ${service}, tps is ${own}.`, 'Install the same version on both sides.');
}
