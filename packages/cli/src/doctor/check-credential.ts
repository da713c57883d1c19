import { type CheckResult, fail, ok, warn } from './check-result.ts';
import { toEndpoint } from './check-service.ts';
import { probe } from './probe.ts';

/** One read request for each scope. */
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

interface CredentialCheck {
  readonly url: string;
  readonly credential: string;
  readonly tenant: string | undefined;
  /** Version of this program. */
  readonly version: string;
}

/** Checks that the service accepts a credential, which scopes it has, and that the versions match. */
export async function checkCredential({
  url,
  credential,
  tenant,
  version,
}: CredentialCheck): Promise<CheckResult[]> {
  const held: string[] = [];
  const missing: string[] = [];
  let serviceVersion: unknown;
  for (const [scope, path] of READS) {
    const target = toEndpoint(url, path);
    if (tenant !== undefined) target.searchParams.set('tenant_id', tenant);
    const answer = await probe(target, credential);
    if (answer.kind === 'unreachable' || ![200, 403].includes(answer.status)) return [toRefusal(answer)];
    (answer.status === 200 ? held : missing).push(scope);
    if (path === '/status') serviceVersion = (answer.body as { version?: unknown } | undefined)?.version;
  }
  const lacks = missing.length === 0 ? '' : `; missing: ${missing.join(', ')}`;
  return [
    ok('credential', `The credential is valid. Scopes: ${held.join(', ') || 'write scopes only'}${lacks}.`),
    ...(typeof serviceVersion === 'string' ? [checkVersion(serviceVersion, version)] : []),
  ];
}

function toRefusal(answer: Awaited<ReturnType<typeof probe>>): CheckResult {
  if (answer.kind === 'unreachable') {
    return fail(
      'credential',
      `The credential could not be checked (${answer.code}).`,
      'Fix the connection first.',
    );
  }
  const { error } = (answer.body as { error?: { code?: string; message?: string } } | undefined) ?? {};
  if (answer.status === 401) {
    return fail(
      'credential',
      'The service rejects the credential: it is wrong, expired or revoked.',
      'Run `tps login` with another credential.',
    );
  }
  if (error?.code === 'tenant_required') {
    return warn(
      'credential',
      'The credential is an operator credential, and no tenant is set.',
      'Use --tenant, or save the tenant with the profile.',
    );
  }
  if (answer.status === 429) {
    return warn(
      'credential',
      'The rate limit is reached.',
      'Wait a minute, or raise the limit: tps tenants set-limit.',
    );
  }
  return fail(
    'credential',
    `The service responded ${answer.status}: ${error?.message ?? 'no message'}.`,
    'Check the log of the service.',
  );
}

function checkVersion(service: string, own: string): CheckResult {
  const [major, minor] = service.split('.');
  const [ownMajor, ownMinor] = own.split('.');
  return major === ownMajor && minor === ownMinor
    ? ok('version', `The service is ${service}, tps is ${own}.`)
    : warn('version', `The service is ${service}, tps is ${own}.`, 'Install the same version on both sides.');
}
