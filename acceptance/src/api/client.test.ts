import { type Client, createClient } from '@tps/client';
import { createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { findFreePort } from '@tps/testing/network';
import { spawnService } from '@tps/testing/process';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { createTestStore } from '@tps/testing/store';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { documentedOperations } from './openapi-document.ts';
import { type IdName, populateTenant } from './populated-tenant.ts';

type Ids = Readonly<Record<IdName, string>>;

/** Every reading operation. Its result is checked for the requested object, so an empty answer is noticed. */
const READS: Readonly<Record<string, (client: Client, ids: Ids) => Promise<unknown>>> = {
  listDevices: async (client) => all(client.devices.list()),
  getDevice: (client, { device }) => client.devices.get(device),
  getDeviceHealth: (client, { device }) => client.devices.health(device),
  getDeviceUpdates: async (client, { device }) => (await client.devices.updatesIfChanged(device))?.updates,
  listEnrolments: async (client) => all(client.enrolments.list()),
  getEnrolment: (client, { enrolment }) => client.enrolments.get(enrolment),
  listMembers: (client) => all(client.members.list()),
  getMember: (client, { account }) => client.members.get(account),
  listHoldings: (client) => all(client.holdings.list()),
  listInvitations: (client) => all(client.invitations.list()),
  getInvitation: (client, { invitation }) => client.invitations.get(invitation),
  listEvents: (client) => all(client.events.list()),
  streamEvents: connectedStream,
  getEvent: (client, { event }) => client.events.get(event),
  getEventContext: (client, { event }) => client.events.context(event),
  listThreats: (client) => all(client.threats.list()),
  getThreat: (client, { threat }) => client.threats.get(threat),
  listAlerts: (client) => all(client.alerts.list()),
  getAlert: (client, { alert }) => client.alerts.get(alert),
  listIncidents: (client) => all(client.incidents.list()),
  getIncident: (client, { incident }) => client.incidents.get(incident),
  listJobs: (client) => all(client.jobs.list()),
  getJob: (client, { job }) => client.jobs.get(job),
  listJobAudit: (client) => all(client.jobs.audit()),
  listAuditOfJob: (client, { job }) => all(client.jobs.auditOf(job)),
  listJobSteps: (client, { job }) => all(client.jobs.steps(job)),
  listJobArtifacts: (client, { job }) => all(client.jobs.artifacts(job)),
  getArtifact: (client, { artifact }) => client.artifacts.get(artifact),
  getTrace: (client, { trace }) => client.traces.get(trace),
  listTraceSteps: (client, { trace }) => all(client.traces.steps(trace)),
  listPolicies: (client) => all(client.policies.list()),
  getPolicy: (client, { policy }) => client.policies.get(policy),
  listIndicators: (client) => all(client.indicators.list()),
  listIndicatorSources: (client) => client.indicators.sources(),
  getIndicatorBundle: async (client) => (await client.indicators.bundleIfChanged())?.bundle,
  getIndicatorKeys: (client) => client.indicators.keys(),
  listWebhooks: (client) => all(client.webhooks.list()),
  getWebhook: (client, { webhook }) => client.webhooks.get(webhook),
  listDeliveries: (client, { webhook }) => all(client.webhooks.deliveries(webhook)),
  listDeadLetters: (client) => all(client.webhooks.deadLetters.list()),
  listTokens: (client) => all(client.tokens.list()),
  listTokenAudit: (client) => all(client.tokens.audit()),
  getToken: (client, { token }) => client.tokens.get(token),
  listAuditOfToken: (client, { token }) => all(client.tokens.auditOf(token)),
  listOAuthClients: (client) => all(client.oauthClients.list()),
  getOAuthClient: (client, { oauth_client: id }) => client.oauthClients.get(id),
  getSignOn: (client) => client.signOn.get(),
  listGuidance: (client) => all(client.guidance.list()),
  getStatus: (client) => client.status.get(),
  countDevices: (client) => client.devices.counts(),
  countEvents: (client) => client.events.counts(),
  countThreats: (client) => client.threats.counts(),
  countAlerts: (client) => client.alerts.counts(),
  countIncidents: (client) => client.incidents.counts(),
  countJobs: (client) => client.jobs.counts(),
  countDeliveries: (client, { webhook }) => client.webhooks.deliveryCounts(webhook),
  countDeadLetters: (client) => client.webhooks.deadLetters.counts(),
  countAudit: (client) => client.audit.counts(),
  listIncidentAssignees: (client) => client.incidents.assignees().page(),
  listSimilarIncidents: (client, { incident }) => client.incidents.similar(incident),
  listNoticeChannels: (client) => all(client.noticeChannels.list()),
  getNoticeChannel: (client, { notice_channel: id }) => client.noticeChannels.get(id),
  listNotices: (client) => all(client.noticeChannels.notices()),
  listDataRequests: (client) => all(client.dataRequests.list()),
  getDataRequest: (client, { data_request: id }) => client.dataRequests.get(id),
  listDataRecords: (client, { data_request: id }) => all(client.dataRequests.records(id)),
  listErasedEvents: (client, { data_request: id }) => client.dataRequests.erasedEvents(id).page(),
  listViews: (client) => all(client.views.list()),
  getView: (client, { view }) => client.views.get(view),
  getSettings: (client) => client.settings.get(),
  listAudit: (client) => all(client.audit.list()),
  getAuditEntry: (client, { audit }) => client.audit.get(audit),
  listAuditOfIncident: (client, { incident }) => client.audit.ofIncident(incident).page(),
  listAuditOfDevice: (client, { device }) => client.audit.ofDevice(device).page(),
  listAuditOfPolicy: (client, { policy }) => client.audit.ofPolicy(policy).page(),
  listAuditOfWebhook: (client, { webhook }) => client.audit.ofWebhook(webhook).page(),
  getStatistics: (client) => client.statistics.get(),
  getHealth: (client) => client.service.health(),
  getReadiness: (client) => client.service.readiness(),
  getOpenApi: (client) => client.service.openApi(),
  getDocs: (client) => client.service.docs(),
};

async function all(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** Returns the cursor of a stream as soon as it is connected. */
async function connectedStream({ events }: Client): Promise<unknown> {
  const stop = new AbortController();
  const stream = events.stream({ signal: stop.signal, onStateChange: () => stop.abort() });
  for await (const _ of stream);
  return [stream.cursor].filter((cursor) => cursor !== null);
}

let client: Client;
let ids: Ids;

const service = useTestService({ env: WEBHOOK_ENV });

beforeAll(async () => {
  const populated = await populateTenant(service);
  ids = populated.ids;
  client = createClient({ baseUrl: service.baseUrl, credential: populated.tenant.credential });
});

test('the client reads every kind of object of the service', async () => {
  const reading = documentedOperations.filter(({ method }) => method === 'GET');
  expect(Object.keys(READS).toSorted()).toEqual(reading.map(({ operationId }) => operationId).toSorted());

  for (const [operationId, read] of Object.entries(READS)) {
    const value = await read(client, ids);
    expect(Object.keys(value as object), operationId).not.toHaveLength(0);
  }
});

test('a change under an idempotency key is made once, and one of an old version is refused', async () => {
  const job = { workflow_id: 'incident_triage_v1', input_refs: [ids.incident] };
  const made = await client.jobs.create(job, { idempotencyKey: 'once' });
  expect((await client.jobs.create(job, { idempotencyKey: 'once' })).job_id).toBe(made.job_id);
  expect((await client.jobs.waitFor(made.job_id, { pollMs: 10 })).status).toBe('waiting_review');
  await client.jobs.review(made.job_id, { decision: 'reject', comment: 'no' });

  const { incident, etag } = await client.incidents.getVersion(ids.incident);
  await client.incidents.update(incident.id, { status: 'in_progress' }, { ifMatch: etag });
  await expect(
    client.incidents.update(incident.id, { comment: 'late' }, { ifMatch: etag }),
  ).rejects.toMatchObject({ name: 'ConflictError', code: 'version_mismatch' });

  const known = await client.policies.pageIfChanged();
  expect(await client.policies.pageIfChanged({ ifNoneMatch: known?.etag })).toBeUndefined();
  await client.policies.archive(ids.policy);
  expect((await client.policies.pageIfChanged({ ifNoneMatch: known?.etag }))?.page.data).toEqual([]);
});

test('a reader that follows the feed sees each event once, across a restart of the service', async () => {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const port = await findFreePort();
  const env = { SERVICE_DATABASE_URL: store.url, SERVICE_BIND: `127.0.0.1:${port}` };
  const first = await spawnService({ env });
  const { tenantId, admin: credential } = first.credentials();
  const device = await registerDevice({ baseUrl: first.baseUrl, tenantId, credential });
  const events = Array.from({ length: 5 }, () => createEvent(device));
  const send = async (some: typeof events) => void (await toDeviceClient(device, first).submitEvents(some));
  await send(events.slice(0, 3));

  const follower = createClient({ baseUrl: first.baseUrl, credential, retry: { attempts: 1 } });
  const seen: string[] = [];
  let rest: Promise<void> | undefined;
  const outages: unknown[] = [];
  const onOutage = (error: unknown) => void outages.push(error);
  const feed = follower.events.follow({ limit: 2, pollMs: 20, onOutage });
  for await (const { event_id } of feed) {
    seen.push(event_id);
    if (seen.length === 3) {
      await first.kill();
      // Not awaited here, so that the loop runs while the service is down.
      rest = spawnService({ env }).then(() => send(events.slice(3)));
    }
    if (seen.length === events.length) break;
  }
  await rest;
  expect(seen).toEqual(events.map(({ event_id }) => event_id));
  expect(outages).not.toEqual([]);
});
