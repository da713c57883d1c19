import { randomBytes } from 'node:crypto';
import { generateDeviceKey, type SoftwareKey } from '@tps/agent';
import { type NewDataRequest, type Scope, type SignOnSettings, TRIAGE_WORKFLOW } from '@tps/contract';
import { type RequestSigner, signRequest } from '@tps/signatures';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { startDiscoveryStandIn } from '@tps/testing/network';
import { createPerson, registerTestWebhook, type TestService, type TestTenant } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import type { DocumentedOperation } from './openapi-document.ts';

/** A tenant with one object of each noun. */
export interface PopulatedTenant {
  readonly tenant: TestTenant;
  readonly device: TestDevice;
  /** A key without a device, for registrations and rotations. */
  readonly nextKey: SoftwareKey;
  readonly ids: Readonly<Record<IdName, string>>;
  /** The settings of its single sign-on. */
  readonly signOn: SignOnSettings;
}

export type IdName =
  | 'device'
  | 'event'
  | 'threat'
  | 'alert'
  | 'incident'
  | 'job'
  | 'trace'
  | 'artifact'
  | 'policy'
  | 'token'
  | 'enrolment'
  | 'oauth_client'
  | 'account'
  | 'invitation'
  | 'webhook'
  | 'dead_letter'
  | 'view'
  | 'notice_channel'
  | 'data_request'
  | 'audit';

/** The source of the indicator of a populated tenant. */
export const INDICATOR_SOURCE = 'own-list';

/** Nothing listens there. */
const CLOSED_URL = 'http://127.0.0.1:9/hook';

/** All tenants can have the same provider. */
const provider = startDiscoveryStandIn();

/**
 * Creates a tenant with a device, its event and everything derived from it, a job that waits for a review, a policy, an
 * indicator, a token, an enrolment secret, an OAuth client, a member, an invitation, a shared view, a notice channel, single
 * sign-on, a webhook and its dead letter.
 */
export async function populateTenant(service: TestService): Promise<PopulatedTenant> {
  const tenant = await service.createTenant();
  // The service itself answers 405 here, which is not retried: the event becomes a dead letter immediately.
  const webhook = await registerTestWebhook(service, { tenant, url: `${service.baseUrl}/healthz` });
  const device = await registerTestDevice(service, { tenant });
  const event = device.event({ indicators: [`sig:${randomBytes(6).toString('hex')}`], severity: 'critical' });
  await device.post(event);
  const { credential } = tenant;
  const create = async (path: string, body: object) =>
    (await service.client.send('POST', path, { credential, body })).body as Record<string, string>;
  const first = async (path: string) =>
    ((await service.client.send('GET', path, { credential })).body as { data: Record<string, string>[] })
      .data[0];

  const policy = await create('/policies', { name: 'p', threat_categories: ['phishing'], action: 'warn' });
  const indicator = { type: 'domain', value: 'parcel-desk.example', category: 'phishing', confidence: 0.9 };
  await create('/indicators', {
    source: INDICATOR_SOURCE,
    indicators: [{ ...indicator, threat_type: 'delivery_scam' }],
  });
  // It has one scope, so that a caller with only that scope can roll it.
  const scopes: Scope[] = ['tokens:write'];
  const token = await create('/tokens', { name: 't', scopes });
  const enrolment = await create('/enrolments', { name: 'e' });
  const grants = { grant_types: ['client_credentials'], scopes };
  const oauthClient = await create('/oauth-clients', { name: 'c', ...grants });
  const member = await createPerson(service, { tenantId: tenant.tenantId, role: 'analyst' });
  const invitation = await create('/invitations', { role: 'viewer' });
  const view = await create('/views', { name: 'v', page: 'events', query: '', shared: true });
  const noticeChannel = await createChannel(create);
  const dataRequest = await create('/data-requests', exportOf(device));
  const signOn = await setUpSignOn(service, credential);
  const incident = present((await first('/incidents'))?.id);
  const job = await create('/jobs', { workflow_id: TRIAGE_WORKFLOW, input_refs: [incident] });
  const isWaiting = async () => (await first('/jobs'))?.status === 'waiting_review';
  await waitUntil(async () => (await isWaiting()) && (await webhook.deadLetters()).length > 0);
  return {
    tenant,
    device,
    signOn,
    nextKey: await generateDeviceKey('ed25519'),
    ids: {
      device: device.deviceId,
      event: event.event_id,
      threat: present((await first('/threats'))?.threat_id),
      alert: present((await first('/alerts'))?.alert_id),
      incident,
      job: present(job.job_id),
      trace: present(job.trace_id),
      artifact: present((await first(`/jobs/${job.job_id}/artifacts`))?.artifact_id),
      policy: present(policy.policy_id),
      token: present(token.token_id),
      enrolment: present(enrolment.enrolment_id),
      oauth_client: present(oauthClient.client_id),
      account: member.accountId,
      invitation: present(invitation.invitation_id),
      view: present(view.view_id),
      notice_channel: present(noticeChannel.channel_id),
      data_request: present(dataRequest.request_id),
      audit: present((await first('/audit'))?.audit_id),
      webhook: webhook.webhookId,
      dead_letter: present((await first('/webhooks/dlq'))?.entry_id),
    },
  };
}

function exportOf({ deviceId }: TestDevice): NewDataRequest {
  return { kind: 'export', subject: { device_id: deviceId } };
}

/** Creates a notice channel with a notice. */
async function createChannel(
  create: (path: string, body: object) => Promise<Record<string, string>>,
): Promise<Record<string, string>> {
  const channel = await create('/notice-channels', { name: 'n', kind: 'slack', url: CLOSED_URL });
  await create(`/notice-channels/${channel.channel_id}/test`, {});
  return channel;
}

async function setUpSignOn(service: TestService, credential: string): Promise<SignOnSettings> {
  const { issuer } = await provider;
  const secret = randomBytes(24).toString('base64url');
  const signOn = { issuer, client_id: 'tps', client_secret: secret, allowed_domains: ['example.com'] };
  await service.client.send('PUT', '/sign-on', { credential, body: signOn });
  return signOn;
}

interface RequestToSign {
  readonly path: string;
  readonly body: string;
  readonly subject: PopulatedTenant;
}

/** Returns the signature headers that the operation requires; an empty object if it requires none. */
export async function signAs(
  operation: DocumentedOperation,
  request: RequestToSign,
): Promise<Record<string, string>> {
  const signers = signersOf(operation, request);
  if (signers.length === 0) return {};
  const { path, body } = request;
  return { ...(await signRequest({ method: operation.method, path, body: Buffer.from(body) }, signers)) };
}

function signersOf(
  { signatureTag }: DocumentedOperation,
  { path, body, subject }: RequestToSign,
): RequestSigner[] {
  const { device, nextKey } = subject;
  switch (signatureTag) {
    case undefined:
      return [];
    case 'tps-event':
      return [{ ...device.key, keyId: device.deviceId, tag: 'tps-event' }];
    case 'tps-renew':
      return [{ ...device.key, keyId: path.split('/')[2] ?? '', tag: 'tps-renew' }];
    case 'tps-register':
      return [{ ...nextKey, keyId: deviceIdOf(body), tag: 'tps-register' }];
    case 'tps-rotate': {
      const keyId = path.split('/')[2] ?? '';
      return [
        { ...device.key, keyId, tag: 'tps-rotate', label: 'old' },
        { ...nextKey, keyId, tag: 'tps-rotate', label: 'new' },
      ];
    }
    default:
      throw new Error(`signing for ${signatureTag} is not implemented here`);
  }
}

/** An invalid body may not be JSON or may not name a device. Then any name is signed. */
function deviceIdOf(body: string): string {
  return /"device_id":"(dev_[A-Za-z0-9_-]+)"/.exec(body)?.[1] ?? 'dev_nameless';
}

function present(id: string | undefined): string {
  if (id === undefined) throw new Error('the tenant was not populated');
  return id;
}
