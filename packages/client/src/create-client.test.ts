import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Client, createClient } from './create-client.ts';
import type { operations, webhooks } from './generated/api.ts';
import { type Reply, startScriptedService } from './testing/scripted-service.ts';

type Call = (client: Client) => unknown;

const ID = 'id_1';
const SIGNED = {
  body: '{ "signed": 1 }',
  headers: { 'Content-Digest': 'sha-256=:x:', 'Signature-Input': 'sig=()', Signature: 'sig=:x:' },
};
const JOB = { workflow_id: 'incident_triage_v1', input_refs: ['inc_1'] };

/** One call for each operation of the document. A missing one is a type error. */
const CALLS: Readonly<Record<Exclude<keyof operations, keyof webhooks>, Call>> = {
  listDevices: ({ devices }) => devices.list({ status: 'active' }).page(),
  countDevices: ({ devices }) => devices.counts({ platform: 'ios,android' }),
  registerDevice: ({ devices }) => devices.register(SIGNED),
  getDevice: ({ devices }) => devices.get(ID),
  getDeviceHealth: ({ devices }) => devices.health(ID),
  getDeviceUpdates: ({ devices }) => devices.updatesIfChanged(ID, { ifNoneMatch: '"1"' }),
  updateDevice: ({ devices }) => devices.update(ID, { name: 'n' }),
  rotateDeviceKey: ({ devices }) => devices.rotateKey(ID, SIGNED),
  renewDeviceCredential: ({ devices }) => devices.renewCredential(ID, SIGNED),
  listEnrolments: ({ enrolments }) => enrolments.list().page(),
  createEnrolment: ({ enrolments }) => enrolments.create({ name: 'n' }),
  getEnrolment: ({ enrolments }) => enrolments.get(ID),
  revokeEnrolment: ({ enrolments }) => enrolments.revoke(ID),
  listMembers: ({ members }) => members.list().page(),
  getMember: ({ members }) => members.get(ID),
  updateMember: ({ members }) => members.update(ID, { role: 'viewer' }),
  removeMember: ({ members }) => members.remove(ID),
  listHoldings: ({ holdings }) => holdings.list({ owner_id: 'acc_1' }).page(),
  adoptHoldings: ({ holdings }) => holdings.adopt({ items: [{ kind: 'webhook', id: ID }] }),
  listInvitations: ({ invitations }) => invitations.list().page(),
  createInvitation: ({ invitations }) => invitations.create({ role: 'viewer' }),
  getInvitation: ({ invitations }) => invitations.get(ID),
  revokeInvitation: ({ invitations }) => invitations.revoke(ID),
  listEvents: ({ events }) => events.list({ since: '2026-01-01T00:00:00Z' }).page(),
  streamEvents: async ({ events }) => {
    for await (const _ of events.stream({ cursor: 'c' })) break;
  },
  countEvents: ({ events }) => events.counts({ severity: '!low' }),
  submitEvent: ({ events }) => events.submit(SIGNED),
  submitEvents: ({ events }) => events.submitBatch(SIGNED),
  getEvent: ({ events }) => events.get(ID),
  getEventContext: ({ events }) => events.context(ID),
  listThreats: ({ threats }) => threats.list().page(),
  countThreats: ({ threats }) => threats.counts(),
  getThreat: ({ threats }) => threats.get(ID),
  listAlerts: ({ alerts }) => alerts.list().page(),
  countAlerts: ({ alerts }) => alerts.counts(),
  getAlert: ({ alerts }) => alerts.get(ID),
  listIncidents: ({ incidents }) => incidents.list().page(),
  countIncidents: ({ incidents }) => incidents.counts({ status: '!closed', interval: 'day' }),
  getIncident: ({ incidents }) => incidents.get(ID),
  updateIncident: ({ incidents }) =>
    incidents.update(ID, { status: 'resolved', resolution: 'false_positive' }, { ifMatch: '"1"' }),
  changeIncidents: ({ incidents }) => incidents.bulk({ ids: [ID], change: { status: 'on_hold' } }),
  changeDeadLetters: ({ webhooks }) => webhooks.deadLetters.bulk({ ids: [ID], change: { action: 'replay' } }),
  revokeDevices: ({ devices }) => devices.bulk({ ids: [ID], change: { status: 'revoked' } }),
  changeJobs: ({ jobs }) => jobs.bulk({ filter: {}, change: { action: 'reject' } }),
  listIncidentAssignees: ({ incidents }) => incidents.assignees().page(),
  listSimilarIncidents: ({ incidents }) => incidents.similar(ID),
  listJobs: ({ jobs }) => jobs.list().page(),
  countJobs: ({ jobs }) => jobs.counts(),
  createJob: ({ jobs }) => jobs.create(JOB),
  getJob: ({ jobs }) => jobs.get(ID),
  cancelJob: ({ jobs }) => jobs.cancel(ID),
  reviewJob: ({ jobs }) => jobs.review(ID, { decision: 'approve' }),
  listJobAudit: ({ jobs }) => jobs.audit().page(),
  listAuditOfJob: ({ jobs }) => jobs.auditOf(ID).page(),
  listJobSteps: ({ jobs }) => jobs.steps(ID).page(),
  listJobArtifacts: ({ jobs }) => jobs.artifacts(ID).page(),
  getArtifact: ({ artifacts }) => artifacts.get(ID),
  getTrace: ({ traces }) => traces.get(ID),
  listTraceSteps: ({ traces }) => traces.steps(ID).page(),
  listIndicators: ({ indicators }) => indicators.list().page(),
  importIndicators: ({ indicators }) =>
    indicators.import({
      source: 's',
      indicators: [
        {
          ...{ type: 'domain', value: 'a.example', category: 'phishing', confidence: 1 },
          threat_type: 'known_indicator',
        },
      ],
    }),
  checkIndicators: ({ indicators }) => indicators.check({ indicators: [{ value: 'a.example' }] }),
  removeIndicators: ({ indicators }) => indicators.remove({ source: ID }),
  listIndicatorSources: ({ indicators }) => indicators.sources(),
  getIndicatorBundle: ({ indicators }) => indicators.bundleIfChanged({ ifNoneMatch: '"1"' }),
  getIndicatorKeys: ({ indicators }) => indicators.keys(),
  listPolicies: ({ policies }) => policies.pageIfChanged({ ifNoneMatch: '"1"' }),
  createPolicy: ({ policies }) =>
    policies.create({ name: 'p', threat_categories: ['phishing'], action: 'warn' }),
  simulatePolicy: ({ policies }) => policies.simulate({ policy_id: ID, change: { enabled: false } }),
  getPolicy: ({ policies }) => policies.get(ID),
  updatePolicy: ({ policies }) => policies.update(ID, { enabled: false }),
  archivePolicy: ({ policies }) => policies.archive(ID),
  listAudit: ({ audit }) => audit.list({ action: 'token.create', outcome: '!denied' }).page(),
  countAudit: ({ audit }) => audit.counts({ since: '2026-01-01T00:00:00Z' }),
  getAuditEntry: ({ audit }) => audit.get(ID),
  listAuditOfIncident: ({ audit }) => audit.ofIncident(ID).page(),
  listAuditOfDevice: ({ audit }) => audit.ofDevice(ID).page(),
  listAuditOfPolicy: ({ audit }) => audit.ofPolicy(ID).page(),
  listAuditOfWebhook: ({ audit }) => audit.ofWebhook(ID).page(),
  getSettings: ({ settings }) => settings.get(),
  requestDeletion: ({ settings }) => settings.requestDeletion({ name: 'n' }),
  cancelDeletion: ({ settings }) => settings.cancelDeletion(),
  listNoticeChannels: ({ noticeChannels }) => noticeChannels.list().page(),
  createNoticeChannel: ({ noticeChannels }) =>
    noticeChannels.create({ name: 'n', kind: 'email', address: 'kim@example.com' }),
  getNoticeChannel: ({ noticeChannels }) => noticeChannels.get(ID),
  updateNoticeChannel: ({ noticeChannels }) =>
    noticeChannels.update(ID, { status: 'paused' }, { ifMatch: '"1"' }),
  deleteNoticeChannel: ({ noticeChannels }) => noticeChannels.remove(ID),
  testNoticeChannel: ({ noticeChannels }) => noticeChannels.test(ID),
  listNotices: ({ noticeChannels }) => noticeChannels.notices({ state: 'failed' }).page(),
  listDataRequests: ({ dataRequests }) => dataRequests.list().page(),
  createDataRequest: ({ dataRequests }) =>
    dataRequests.create({ kind: 'export', subject: { device_id: 'dev_1' } }),
  getDataRequest: ({ dataRequests }) => dataRequests.get(ID),
  listDataRecords: ({ dataRequests }) => dataRequests.records(ID).page(),
  listErasedEvents: ({ dataRequests }) => dataRequests.erasedEvents(ID).page(),
  listViews: ({ views }) => views.list({ page: 'events' }).page(),
  createView: ({ views }) => views.create({ name: 'n', page: 'events', query: '' }),
  getView: ({ views }) => views.get(ID),
  updateView: ({ views }) => views.update(ID, { shared: true }),
  deleteView: ({ views }) => views.remove(ID),
  listWebhooks: ({ webhooks }) => webhooks.list().page(),
  createWebhook: ({ webhooks }) => webhooks.create({ url: 'https://example.com', secret: 'x'.repeat(16) }),
  getWebhook: ({ webhooks }) => webhooks.get(ID),
  updateWebhook: ({ webhooks }) => webhooks.update(ID, { severity_filter: ['low'] }),
  deleteWebhook: ({ webhooks }) => webhooks.remove(ID),
  rotateWebhookSecret: ({ webhooks }) => webhooks.rotateSecret(ID, { secret: 'x'.repeat(16) }),
  testWebhook: ({ webhooks }) => webhooks.test(ID),
  listDeliveries: ({ webhooks }) => webhooks.deliveries(ID).page(),
  countDeliveries: ({ webhooks }) => webhooks.deliveryCounts(ID, { status: 'failed' }),
  recoverWebhook: ({ webhooks }) => webhooks.recover(ID, { since: '2026-01-01T00:00:00Z' }),
  listDeadLetters: ({ webhooks }) => webhooks.deadLetters.list().page(),
  countDeadLetters: ({ webhooks }) => webhooks.deadLetters.counts(),
  replayDeadLetter: ({ webhooks }) => webhooks.deadLetters.replay({ entry_id: ID }),
  deleteDeadLetter: ({ webhooks }) => webhooks.deadLetters.remove({ entry_id: ID }),
  getSignOn: ({ signOn }) => signOn.get(),
  replaceSignOn: ({ signOn }) =>
    signOn.replace({ issuer: 'https://a.example', client_id: 'c', allowed_domains: ['a.example'] }),
  removeSignOn: ({ signOn }) => signOn.remove(),
  listOAuthClients: ({ oauthClients }) => oauthClients.list().page(),
  createOAuthClient: ({ oauthClients }) =>
    oauthClients.create({ name: 'c', grant_types: ['client_credentials'], scopes: ['status:read'] }),
  getOAuthClient: ({ oauthClients }) => oauthClients.get(ID),
  updateOAuthClient: ({ oauthClients }) => oauthClients.update(ID, { name: 'd' }),
  deleteOAuthClient: ({ oauthClients }) => oauthClients.remove(ID),
  rotateOAuthClientSecret: ({ oauthClients }) => oauthClients.rotateSecret(ID),
  listTokens: ({ tokens }) => tokens.list().page(),
  createToken: ({ tokens }) => tokens.create({ name: 't', scopes: ['status:read'] }),
  getToken: ({ tokens }) => tokens.get(ID),
  listTokenAudit: ({ tokens }) => tokens.audit().page(),
  listAuditOfToken: ({ tokens }) => tokens.auditOf(ID).page(),
  revokeToken: ({ tokens }) => tokens.revoke(ID),
  rollToken: ({ tokens }) => tokens.roll(ID),
  scanContent: ({ scan }) => scan.content({ type: 'text', content: 'c' }),
  listGuidance: ({ guidance }) => guidance.list().page(),
  getStatus: ({ status }) => status.get(),
  getStatistics: ({ statistics }) => statistics.get({ interval: 'day' }),
  getHealth: ({ service }) => service.health(),
  getReadiness: ({ service }) => service.readiness(),
  getOpenApi: ({ service }) => service.openApi(),
  getDocs: ({ service }) => service.docs(),
};

interface DocumentedOperation {
  readonly operationId: keyof typeof CALLS;
  readonly security: readonly unknown[];
  readonly parameters?: readonly { in: string; name: string; required?: boolean }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const DOCUMENT = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as OpenApiDocument;

const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

test('every operation of the document has a method, and every method an operation', () => {
  const documented = OPERATIONS.map(({ operation }) => operation.operationId);
  expect(Object.keys(CALLS).toSorted()).toEqual(documented.toSorted());
});

test('every schema of the document has a type with its name', () => {
  const code = readFileSync(new URL('./schemas.ts', import.meta.url), 'utf8');
  const index = readFileSync(new URL('./index.ts', import.meta.url), 'utf8');
  const ofRefusals = ['Error', 'Problem'];
  const names = Object.keys(DOCUMENT.components.schemas).filter((name) => !ofRefusals.includes(name));
  for (const name of names) {
    expect(code).toContain(`export type ${name} = Schemas['${name}'];`);
    expect(index).toMatch(new RegExp(`\\b${name},`));
  }
});

test.each(OPERATIONS.map((entry) => [entry.operation.operationId, entry] as const))(
  '%s has the documented path, required parameters, credential and idempotency key',
  async (operationId, { path, method, operation }) => {
    const success = Object.keys(operation.responses).find((status) => status.startsWith('2'));
    const isStream = 'text/event-stream' in (operation.responses[String(success)]?.content ?? {});
    const reply: Reply = isStream
      ? { text: 'event: risk.event.created\ndata: {}\n\n', headers: { 'content-type': 'text/event-stream' } }
      : { status: Number(success), json: { data: [], has_more: false, next_cursor: null } };
    const { url, received } = await startScriptedService([reply]);
    await CALLS[operationId](createClient({ baseUrl: `${url}/base/`, credential: 'secret' }));

    expect(received).toHaveLength(1);
    const [request] = received;
    const [target, search = ''] = request?.path.split('?') ?? [];
    expect([request?.method, target]).toEqual([method, `/base${path.replace('{id}', ID)}`]);
    expect(request?.headers.authorization).toBe(operation.security.length > 0 ? 'Bearer secret' : undefined);
    const { parameters = [] } = operation;
    const sentIn = (where: string) => parameters.filter((parameter) => parameter.in === where);
    // The client continues a stream by its cursor, which browsers send without asking first.
    for (const { name } of sentIn('header').filter((header) => header.name !== 'Last-Event-ID'))
      expect(request?.headers, name).toHaveProperty(name.toLowerCase());
    for (const { name } of sentIn('query').filter(({ required }) => required)) {
      expect(new URLSearchParams(search).get(name), name).toBe(ID);
    }
    const isSigned = sentIn('header').some(({ name }) => name === 'Signature');
    if (isSigned) expect(request?.body).toBe(SIGNED.body);
    else if (operation.requestBody) expect(JSON.parse(request?.body ?? '')).toBeTypeOf('object');
    else expect(request?.body).toBe('');
  },
);

test('an id that would lead to another path is rejected before a request is sent', async () => {
  const { url, received } = await startScriptedService([{}]);
  const client = createClient({ baseUrl: url, credential: 'secret' });
  for (const id of ['', '.', '..']) await expect(client.events.get(id)).rejects.toThrow(TypeError);
  await client.events.get('../tokens?x=1#y');
  expect(received.map(({ path }) => path)).toEqual(['/events/..%2Ftokens%3Fx%3D1%23y']);
});

test('an incident is updated with the version that was read', async () => {
  const { url, received } = await startScriptedService([{ json: { id: 'inc_1' }, headers: { etag: '"7"' } }]);
  const { incidents } = createClient({ baseUrl: url, credential: 'secret' });
  const { incident, etag } = await incidents.getVersion('inc_1', { tenant_id: 'tnt_1' });
  await incidents.update(incident.id, { comment: 'seen' }, { ifMatch: etag });
  expect(received.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['GET', '/incidents/inc_1?tenant_id=tnt_1', ''],
    ['PATCH', '/incidents/inc_1', '{"comment":"seen"}'],
  ]);
  expect(received[1]?.headers['if-match']).toBe('"7"');
});

test('a page of policies is returned only when it has changed', async () => {
  const page = { data: [], has_more: false, next_cursor: null };
  const { url, received } = await startScriptedService(({ headers }) => {
    const etag = '"1"';
    return headers['if-none-match'] === etag ? { status: 304 } : { json: page, headers: { etag } };
  });
  const { policies } = createClient({ baseUrl: url, credential: 'secret' });
  const first = await policies.pageIfChanged({ limit: 5 });
  expect(first).toEqual({ page, etag: '"1"' });
  expect(await policies.pageIfChanged({ limit: 5, ifNoneMatch: first?.etag })).toBeUndefined();
  expect(received.map(({ path }) => path)).toEqual(['/policies?limit=5', '/policies?limit=5']);
});

test('waiting for a job ends when a person has to decide, or when the job ends', async () => {
  const { url, received } = await startScriptedService(
    ['queued', 'running', 'waiting_review', 'running', 'failed'].map((status) => ({ json: { status } })),
  );
  const { jobs } = createClient({ baseUrl: url, credential: 'secret' });
  expect(await jobs.waitFor('job_1', { pollMs: 1 })).toEqual({ status: 'waiting_review' });
  expect(await jobs.waitFor('job_1', { pollMs: 1, until: ['completed'] })).toEqual({ status: 'failed' });
  expect(received).toHaveLength(5);
});

test('waiting for a job ends when it is aborted', async () => {
  const { url } = await startScriptedService([{ json: { status: 'queued' } }]);
  const { jobs } = createClient({ baseUrl: url, credential: 'secret' });
  const signal = AbortSignal.timeout(20);
  await expect(jobs.waitFor('job_1', { pollMs: 60_000, signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});
