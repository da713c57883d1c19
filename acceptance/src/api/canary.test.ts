import { createDeviceClient, generateDeviceKey } from '@tps/agent';
import { type IdNoun, type Operation, operations, TRIAGE_WORKFLOW } from '@tps/contract';
import { createEvent } from '@tps/simulator';
import { FormBrowser } from '@tps/testing/browser';
import { startDiscoveryStandIn } from '@tps/testing/network';
import { runCommand, type SpawnedService, spawnService } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { readList } from '../service/read-api.ts';

const CANARY = 'kanarie7f3d9b';

interface Tenant {
  readonly tenantId: string;
  readonly credential: string;
}

type Ids = Partial<Record<IdNoun, string>>;

/** Guidance and the keys of bundles are the same for all tenants; the tags of a device are digests and versions. */
// A stream does not end: its tests have two tenants.
const WITHOUT_TEXT: readonly string[] = [
  'listGuidance',
  'getIndicatorKeys',
  'getDeviceUpdates',
  'streamEvents',
];
/** All tenants can have the same provider. */
const provider = startDiscoveryStandIn();

const reads = operations.filter(
  ({ method, scope, operationId }) =>
    method === 'GET' && scope !== null && !WITHOUT_TEXT.includes(operationId),
);

async function createTenant(env: Record<string, string>, name: string): Promise<Tenant> {
  const run = async (...args: string[]) => {
    const { code, output } = await runCommand(args, env);
    if (code !== 0) throw new Error(output);
    return output.trim().split('\n');
  };
  const [tenantId = ''] = await run('tenants', 'create', name);
  const [, credential = ''] = await run('tokens', 'create', '--tenant', tenantId, '--name', name);
  return { tenantId, credential };
}

async function write(
  baseUrl: string,
  { credential }: Tenant,
  { method, path, body }: { method: string; path: string; body: object },
): Promise<Record<string, unknown>> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

/** Adds one of each object to a tenant, with a word in every text that a client may set. */
async function fill(baseUrl: string, tenant: Tenant, word: string): Promise<Ids> {
  const { tenantId, credential } = tenant;
  const deviceId = `dev_${word}`;
  const policy = { policy_id: `pol_${word}`, name: word, threat_categories: ['phishing'], action: 'block' };
  await write(baseUrl, tenant, { method: 'POST', path: '/policies', body: policy });
  const key = await generateDeviceKey('ed25519');
  const client = createDeviceClient({ baseUrl, credential, deviceId, tenantId, key });
  await client.register({ platform: 'linux', name: word, agentVersion: word });
  const event = createEvent(
    { tenantId, deviceId },
    {
      event_id: `evt_${word}`,
      action_taken: 'block',
      severity: 'critical',
      policy_id: `pol_${word}`,
      description: `Seen by ${word}`,
      indicators: [`sha256:${word}`],
    },
  );
  const metadata: object = { agent_version: word, model_version: word, note: word };
  const webhook = await write(baseUrl, tenant, {
    method: 'POST',
    path: '/webhooks',
    // The service itself answers 404 here, so each delivery becomes a dead letter immediately.
    body: { url: `${baseUrl}/${word}`, secret: `the-secret-of-${word}` },
  });
  await client.submitEvent({ ...event, metadata });
  await client.submitEvent({
    ...event,
    event_id: `evt_${word}_again`,
    corrects_event_id: event.event_id,
    correction_reason: word,
    confidence: 0.5,
  });
  // Another incident with the same indicator, so that one is similar to the other.
  const other = { event_id: `evt_${word}_other`, threat_category: 'malicious_app' } as const;
  await client.submitEvent({ ...event, ...other });
  const indicator = { type: 'domain', value: `${word}.example`, category: 'phishing', label: word };
  await write(baseUrl, tenant, {
    method: 'POST',
    path: '/indicators',
    body: { source: word, indicators: [{ ...indicator, threat_type: 'phishing_link', confidence: 0.9 }] },
  });
  const token = await write(baseUrl, tenant, {
    method: 'POST',
    path: '/tokens',
    body: { name: word, scopes: ['events:read'] },
  });
  const view = await write(baseUrl, tenant, {
    method: 'POST',
    path: '/views',
    body: { name: word, page: 'incidents', query: '', shared: true },
  });
  const noticeChannel = await write(baseUrl, tenant, {
    method: 'POST',
    path: '/notice-channels',
    body: { name: word, kind: 'slack', url: 'http://127.0.0.1:9/hook' },
  });
  await write(baseUrl, tenant, {
    method: 'POST',
    path: `/notice-channels/${noticeChannel.channel_id}/test`,
    body: {},
  });
  const dataRequest = await write(baseUrl, tenant, {
    method: 'POST',
    path: '/data-requests',
    body: { kind: 'export', subject: { device_id: deviceId } },
  });
  const enrolment = await write(baseUrl, tenant, {
    method: 'POST',
    path: '/enrolments',
    body: { name: word },
  });
  const oauthClient = await write(baseUrl, tenant, {
    method: 'POST',
    path: '/oauth-clients',
    body: { name: word, grant_types: ['client_credentials'], scopes: ['events:read'] },
  });
  const invitation = await inviteMember(baseUrl, tenant, word);
  await write(baseUrl, tenant, {
    method: 'PUT',
    path: '/sign-on',
    body: {
      issuer: (await provider).issuer,
      client_id: word,
      client_secret: `the-secret-of-${word}`,
      allowed_domains: [`${word}.example`],
    },
  });
  const first = async (path: string, member: string) => {
    const { items } = await readList<Record<string, string>>(baseUrl, path, { credential, limit: 100 });
    return items[0]?.[member] ?? '';
  };
  await waitUntil(async () => (await first('/webhooks/dlq', 'entry_id')) !== '');
  const incident = await first('/incidents', 'id');
  await write(baseUrl, tenant, {
    method: 'PATCH',
    path: `/incidents/${incident}`,
    body: { status: 'in_progress', comment: word, assignee: word, tags: [word] },
  });
  const job = await write(baseUrl, tenant, {
    method: 'POST',
    path: '/jobs',
    body: { workflow_id: TRIAGE_WORKFLOW, input_refs: [incident] },
  });
  await waitUntil(async () => (await first('/jobs', 'status')) === 'waiting_review');
  await write(baseUrl, tenant, {
    method: 'POST',
    path: `/jobs/${job.job_id}/review`,
    body: { decision: 'reject', comment: word },
  });
  return {
    job: String(job.job_id),
    trace: String(job.trace_id),
    artifact: await first(`/jobs/${job.job_id}/artifacts`, 'artifact_id'),
    device: deviceId,
    event: event.event_id,
    policy: `pol_${word}`,
    threat: await first('/threats', 'threat_id'),
    alert: await first('/alerts', 'alert_id'),
    incident,
    token: String(token.token_id),
    enrolment: String(enrolment.enrolment_id),
    oauth_client: String(oauthClient.client_id),
    account: await first('/members', 'account_id'),
    invitation,
    view: String(view.view_id),
    notice_channel: String(noticeChannel.channel_id),
    data_request: String(dataRequest.request_id),
    audit: await first('/audit', 'audit_id'),
    webhook: String(webhook.webhook_id),
  };
}

/** Invites a person, who becomes a member with a new account. Returns the id of the invitation. */
async function inviteMember(baseUrl: string, tenant: Tenant, word: string): Promise<string> {
  const email = `${word}@example.com`;
  const invited = { method: 'POST', path: '/invitations', body: { role: 'analyst', email } };
  const { invitation_id, link } = await write(baseUrl, tenant, invited);
  const browser = new FormBrowser(baseUrl);
  const form = await browser.open(String(link));
  await browser.submit(form, { name: word, password: `the password of ${word}` });
  return String(invitation_id);
}

/** Everything that a client sees of an answer, without the path of the request. */
async function ask(service: SpawnedService, path: string, { credential }: Tenant) {
  const response = await fetch(`${service.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${credential}` },
    redirect: 'manual',
  });
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const requestId = response.headers.get('x-request-id') ?? '';
  const text = await response.text();
  // A bundle of indicators is encoded in Base64 inside its envelope.
  const payload = Buffer.from(/"payload":"([^"]*)"/.exec(text)?.[1] ?? '', 'base64').toString();
  return { status: response.status, requestId, seen: `${headers}\n\n${text}${payload}` };
}

/** All reading requests with these ids: each operation, without a filter and with each filter by an id or name. */
function pathsFor(operation: Operation, ids: Ids): string[] {
  const path = operation.id ? operation.path.replace('{id}', ids[operation.id] ?? '') : operation.path;
  const filters: Record<string, string | undefined> = {
    device_id: ids.device,
    token_id: ids.token,
    webhook_id: ids.webhook,
  };
  const known = Object.keys(operation.query?.properties ?? {});
  const named = Object.entries(filters).filter(([name]) => known.includes(name));
  return [path, ...named.map(([name, value]) => `${path}?${name}=${value}`)];
}

async function startWithTwoTenants() {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const env = { SERVICE_DATABASE_URL: store.url, SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: 'true' };
  const service = await spawnService({ env: { ...env, SERVICE_LOG_LEVEL: 'trace' } });
  const a = await createTenant(env, 'plain');
  const b = await createTenant(env, CANARY);
  const idsOfA = await fill(service.baseUrl, a, 'plain');
  const idsOfB = await fill(service.baseUrl, b, CANARY);
  return { service, a, b, idsOfA, idsOfB };
}

/** Everything that tenant A might try: its own ids, B's ids, and B's name. */
function pathsOfA(
  operation: Operation,
  { idsOfA, idsOfB, b }: { idsOfA: Ids; idsOfB: Ids; b: Tenant },
): string[] {
  const [foreign = ''] = pathsFor(operation, idsOfB);
  return [
    ...pathsFor(operation, idsOfA),
    ...pathsFor(operation, idsOfB),
    `${foreign}?tenant_id=${b.tenantId}`,
  ];
}

/** Counts, their times and hashes contain no word of a tenant. */
const NUMBERS_ALONE = /\/(?:counts|erased-events)$/;

test('no answer, header or log line of a read by tenant A contains data of tenant B', async () => {
  const { service, a, b, idsOfA, idsOfB } = await startWithTwoTenants();
  const tellsOfB = (text: string) => text.includes(CANARY) || text.includes(b.tenantId);
  const leaks: string[] = [];
  const requestsOfA: string[] = [];
  for (const operation of reads) {
    const [own = ''] = pathsFor(operation, idsOfA);
    const [foreign = ''] = pathsFor(operation, idsOfB);
    // Shows that the search works: the answers to B contain the word.
    const ofB = await ask(service, foreign, b);
    expect({ status: ofB.status, isTold: tellsOfB(ofB.seen) }, foreign).toEqual({
      status: 200,
      isTold: !NUMBERS_ALONE.test(operation.path),
    });

    for (const path of pathsOfA(operation, { idsOfA, idsOfB, b })) {
      const { status, seen, requestId } = await ask(service, path, a);
      requestsOfA.push(requestId);
      if (tellsOfB(seen)) leaks.push(`GET ${path}: ${seen}`);
      if (path === own) expect(status, path).toBe(200);
      if (path === foreign && foreign !== own) expect(status, path).toBe(404);
      if (path.includes('tenant_id=')) expect(status, path).toBe(403);
    }
  }
  await service.stop();
  const lines = service.output().split('\n');
  for (const requestId of requestsOfA) {
    const logged = lines.filter((line) => line.includes(requestId));
    expect(logged).toHaveLength(1);
    leaks.push(...logged.filter(tellsOfB));
  }
  expect(leaks).toEqual([]);
});

test('a cursor of tenant B returns nothing to tenant A', async () => {
  const { service, a, b } = await startWithTwoTenants();
  const tried: string[] = [];
  for (const operation of reads.filter(
    ({ query }) => query && 'cursor' in query.properties && 'limit' in query.properties,
  )) {
    if (operation.id) continue;
    const page = await ask(service, `${operation.path}?limit=1`, b);
    const cursor = /"next_cursor":"([^"]+)"/.exec(page.seen)?.[1];
    // A list with one item has no next page.
    if (cursor === undefined) continue;
    tried.push(operation.path);
    const { status, seen } = await ask(service, `${operation.path}?limit=1&cursor=${cursor}`, a);
    expect(status, operation.path).toBe(400);
    expect(seen, operation.path).toContain('invalid_cursor');
  }
  expect(tried).toEqual(expect.arrayContaining(['/events', '/tokens']));
});
