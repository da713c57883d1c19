import { randomBytes } from 'node:crypto';
import { ROLE_SCOPES, SCOPES, type Scope } from '@tps/contract';
import type { ContractClient, TestAnswer } from '@tps/testing/service';
import type { DocumentedOperation } from './openapi-document.ts';
import { type IdName, INDICATOR_SOURCE, type PopulatedTenant, signAs } from './populated-tenant.ts';

/** A successful call of one operation. */
interface Recipe {
  /** The noun whose id is in the path. */
  readonly id?: IdName;
  readonly query?: (subject: PopulatedTenant) => Readonly<Record<string, string>>;
  readonly body?: (subject: PopulatedTenant) => object;
  /** Scopes beside that of the operation, which the caller needs because what it creates holds them. */
  readonly granted?: readonly Scope[];
}

/** A port of this machine without a listener. Tests register webhooks for it but never send to it. */
export const UNCALLED_URL = 'http://127.0.0.1:9/hook';

/** The scopes of device credentials. */
const OF_DEVICES: readonly Scope[] = ['devices:read', 'devices:write', 'events:write', 'status:read'];

/** One recipe for each operation with authentication. The route matrix fails for an operation without one. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  listDevices: {},
  countDevices: {},
  registerDevice: {
    body: ({ tenant, nextKey }) => ({
      tenant_id: tenant.tenantId,
      device_id: `dev_${randomBytes(6).toString('hex')}`,
      platform: 'linux',
      public_key_b64: nextKey.publicKeyB64,
    }),
  },
  getDevice: { id: 'device' },
  getDeviceHealth: { id: 'device' },
  getDeviceUpdates: { id: 'device' },
  updateDevice: { id: 'device', body: () => ({ name: 'Renamed' }) },
  rotateDeviceKey: {
    id: 'device',
    body: ({ tenant, nextKey }) => ({ tenant_id: tenant.tenantId, public_key_b64: nextKey.publicKeyB64 }),
  },
  renewDeviceCredential: {
    id: 'device',
    body: ({ tenant }) => ({ tenant_id: tenant.tenantId }),
    granted: OF_DEVICES,
  },
  listEnrolments: {},
  createEnrolment: { body: () => ({ name: 'Phones', max_uses: 2 }), granted: OF_DEVICES },
  getEnrolment: { id: 'enrolment' },
  revokeEnrolment: { id: 'enrolment' },
  listEvents: {},
  streamEvents: {},
  countEvents: {},
  submitEvent: { body: ({ device }) => device.event() },
  submitEvents: { body: ({ device }) => ({ events: [device.event()] }) },
  getEvent: { id: 'event' },
  getEventContext: { id: 'event' },
  listThreats: {},
  countThreats: {},
  getThreat: { id: 'threat' },
  listAlerts: {},
  countAlerts: {},
  getAlert: { id: 'alert' },
  listIncidents: {},
  countIncidents: {},
  getIncident: { id: 'incident' },
  updateIncident: { id: 'incident', body: () => ({ tags: ['seen'] }) },
  changeIncidents: { body: ({ ids }) => ({ ids: [ids.incident], change: { tags: ['seen'] } }) },
  changeDeadLetters: { body: ({ ids }) => ({ ids: [ids.dead_letter], change: { action: 'replay' } }) },
  revokeDevices: { body: ({ ids }) => ({ ids: [ids.device], change: { status: 'revoked' } }) },
  changeJobs: { body: ({ ids }) => ({ ids: [ids.job], change: { action: 'reject' } }) },
  listIncidentAssignees: {},
  listSimilarIncidents: { id: 'incident' },
  listJobs: {},
  countJobs: {},
  createJob: {
    body: ({ ids }) => ({ workflow_id: 'incident_triage_v1', input_refs: [ids.incident] }),
  },
  getJob: { id: 'job' },
  cancelJob: { id: 'job', body: () => ({}) },
  reviewJob: { id: 'job', body: () => ({ decision: 'approve' }) },
  listJobAudit: {},
  listAuditOfJob: { id: 'job' },
  listJobSteps: { id: 'job' },
  listJobArtifacts: { id: 'job' },
  getArtifact: { id: 'artifact' },
  getTrace: { id: 'trace' },
  listTraceSteps: { id: 'trace' },
  listPolicies: {},
  createPolicy: { body: () => ({ name: 'New', threat_categories: ['deepfake'], action: 'block' }) },
  simulatePolicy: { body: ({ ids }) => ({ policy_id: ids.policy, change: { action: 'block' } }) },
  getPolicy: { id: 'policy' },
  updatePolicy: { id: 'policy', body: () => ({ enabled: false }) },
  archivePolicy: { id: 'policy' },
  listIndicators: {},
  importIndicators: {
    body: () => ({
      source: 'new-list',
      indicators: [
        {
          type: 'url',
          value: 'https://parcel-desk.example/pay',
          category: 'phishing',
          threat_type: 'delivery_scam',
          confidence: 0.9,
        },
      ],
    }),
  },
  checkIndicators: { body: () => ({ indicators: [{ value: 'https://parcel-desk.example/pay' }] }) },
  removeIndicators: { query: () => ({ source: INDICATOR_SOURCE }) },
  listIndicatorSources: {},
  getIndicatorBundle: {},
  getIndicatorKeys: {},
  listWebhooks: {},
  createWebhook: { body: () => ({ url: UNCALLED_URL, secret: newSecret() }) },
  getWebhook: { id: 'webhook' },
  updateWebhook: { id: 'webhook', body: () => ({ severity_filter: ['low'] }) },
  deleteWebhook: { id: 'webhook' },
  rotateWebhookSecret: { id: 'webhook', body: () => ({ secret: newSecret() }) },
  testWebhook: { id: 'webhook', body: () => ({}) },
  listDeliveries: { id: 'webhook' },
  countDeliveries: { id: 'webhook' },
  recoverWebhook: { id: 'webhook', body: () => ({ since: anHourAgo() }) },
  listDeadLetters: {},
  countDeadLetters: {},
  replayDeadLetter: { body: ({ ids }) => ({ entry_id: ids.dead_letter }) },
  deleteDeadLetter: { query: ({ ids }) => ({ entry_id: ids.dead_letter }) },
  listTokens: {},
  createToken: { body: () => ({ name: 'New', scopes: ['tokens:write'] }) },
  listTokenAudit: {},
  getToken: { id: 'token' },
  listAuditOfToken: { id: 'token' },
  revokeToken: { id: 'token' },
  rollToken: { id: 'token', body: () => ({}) },
  listOAuthClients: {},
  createOAuthClient: {
    body: () => ({ name: 'New', grant_types: ['client_credentials'], scopes: ['tokens:write'] }),
  },
  getOAuthClient: { id: 'oauth_client' },
  updateOAuthClient: { id: 'oauth_client', body: () => ({ name: 'Renamed' }) },
  deleteOAuthClient: { id: 'oauth_client' },
  getSignOn: {},
  // The provider decides who is an admin.
  replaceSignOn: { body: ({ signOn }) => signOn, granted: SCOPES },
  removeSignOn: { granted: SCOPES },
  rotateOAuthClientSecret: { id: 'oauth_client', body: () => ({}) },
  listMembers: {},
  getMember: { id: 'account' },
  // The member is an analyst.
  updateMember: { id: 'account', body: () => ({ role: 'viewer' }), granted: ROLE_SCOPES.analyst },
  removeMember: { id: 'account', granted: ROLE_SCOPES.analyst },
  listHoldings: {},
  // What is adopted decides which scopes its owner needs.
  adoptHoldings: {
    body: ({ ids }) => ({ items: [{ kind: 'webhook', id: ids.webhook }] }),
    granted: ['webhooks:write'],
  },
  listInvitations: {},
  createInvitation: { body: () => ({ role: 'viewer' }), granted: ROLE_SCOPES.viewer },
  getInvitation: { id: 'invitation' },
  revokeInvitation: { id: 'invitation' },
  listAudit: {},
  countAudit: {},
  getAuditEntry: { id: 'audit' },
  listAuditOfIncident: { id: 'incident' },
  listAuditOfDevice: { id: 'device' },
  listAuditOfPolicy: { id: 'policy' },
  listAuditOfWebhook: { id: 'webhook' },
  getSettings: {},
  // The name that tests give their tenants.
  requestDeletion: { body: () => ({ name: 'other' }) },
  cancelDeletion: {},
  listNoticeChannels: {},
  createNoticeChannel: { body: () => ({ name: 'New', kind: 'slack', url: UNCALLED_URL }) },
  getNoticeChannel: { id: 'notice_channel' },
  updateNoticeChannel: { id: 'notice_channel', body: () => ({ name: 'Renamed' }) },
  deleteNoticeChannel: { id: 'notice_channel' },
  testNoticeChannel: { id: 'notice_channel', body: () => ({}) },
  listNotices: {},
  listDataRequests: {},
  createDataRequest: { body: ({ ids }) => ({ kind: 'export', subject: { device_id: ids.device } }) },
  getDataRequest: { id: 'data_request' },
  listDataRecords: { id: 'data_request' },
  listErasedEvents: { id: 'data_request' },
  listViews: {},
  createView: { body: () => ({ name: 'New', page: 'events', query: 'severity=high' }) },
  // The view of the subject is shared.
  getView: { id: 'view' },
  updateView: { id: 'view', body: () => ({ name: 'Renamed' }), granted: ['views:share'] },
  deleteView: { id: 'view', granted: ['views:share'] },
  scanContent: { body: () => ({ type: 'text', content: 'See you at eight' }) },
  listGuidance: {},
  getStatus: {},
  getStatistics: {},
};

/** What a test changes in a request that would succeed. */
export interface Variation {
  /** Undefined: sends no credential. */
  readonly credential: string | undefined;
  /** Instead of the subject's own. */
  readonly id?: string;
  /** Added to the query. */
  readonly query?: Readonly<Record<string, string>>;
  /** Replaces the body of the recipe; the replaced body is signed. */
  readonly changeBody?: (body: object) => object;
}

/** A request that would succeed, except for the variation. */
export interface OperationRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** The signatures that the operation requires. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Builds the request of an operation on a tenant. It is correct except for the variation. */
export async function toRequest(
  operation: DocumentedOperation,
  {
    subject,
    id,
    query = {},
    changeBody = (body) => body,
  }: Omit<Variation, 'credential'> & { subject: PopulatedTenant },
): Promise<OperationRequest> {
  const recipe = RECIPES[operation.operationId];
  if (!recipe) throw new Error(`${operation.operationId} has no recipe`);
  const { method } = operation;
  const path = operation.path.replace('{id}', id ?? (recipe.id ? subject.ids[recipe.id] : ''));
  const body = recipe.body && JSON.stringify(changeBody(recipe.body(subject)));
  const search = new URLSearchParams({ ...recipe.query?.(subject), ...query }).toString();
  return {
    method,
    path: search === '' ? path : `${path}?${search}`,
    ...(body === undefined ? {} : { body, headers: await signAs(operation, { path, body, subject }) }),
  };
}

/** Calls an operation on a tenant. The call is correct except for the variation. */
export async function callOperation(
  client: ContractClient,
  operation: DocumentedOperation,
  { credential, ...variation }: Variation & { subject: PopulatedTenant },
): Promise<TestAnswer> {
  const { method, path, ...request } = await toRequest(operation, variation);
  return client.send(method, path, { ...request, ...(credential === undefined ? {} : { credential }) });
}

/** A time within the retention of deliveries. */
export function anHourAgo(): string {
  return new Date(Date.now() - 3_600_000).toISOString();
}

function newSecret(): string {
  return randomBytes(24).toString('base64url');
}
