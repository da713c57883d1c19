import { randomBytes } from 'node:crypto';
import { createDeviceClient, generateDeviceKey, type SoftwareKey } from '@tps/agent';
import type { Event } from '@tps/contract';
import { type SignatureAlgorithm, signRequest } from '@tps/signatures';
import type { TestAnswer, TestRequest } from '../service/contract-client.ts';
import type { TestService, TestTenant } from '../service/test-service.ts';

/** A registered device, and its key for requests that no honest agent would send. */
export interface TestDevice {
  readonly deviceId: string;
  readonly key: SoftwareKey;
  readonly tenant: TestTenant;
  /** Makes an event of this device; `members` replace those of a phishing block. */
  event(members?: Partial<Event>): Event;
  /** Signs a body and sends it to POST /events, or to another path. */
  post(body: unknown, options?: { path?: string; request?: TestRequest }): Promise<TestAnswer>;
}

/** Registers a device with a key of its own. Ed25519 unless told otherwise: its keys are made in no time. */
export async function registerTestDevice(
  service: TestService,
  options: { tenant?: TestTenant; algorithm?: SignatureAlgorithm; deviceId?: string } = {},
): Promise<TestDevice> {
  const tenant = options.tenant ?? service.tenant;
  const deviceId = options.deviceId ?? `dev_${randomBytes(6).toString('hex')}`;
  const key = await generateDeviceKey(options.algorithm ?? 'ed25519');
  const { baseUrl } = service;
  await createDeviceClient({ baseUrl, credential: tenant.credential, deviceId, key }).register({
    platform: 'android',
  });
  return {
    deviceId,
    key,
    tenant,
    event: (members = {}) => testEvent({ tenant_id: tenant.tenantId, device_id: deviceId, ...members }),
    async post(body, { path = '/events', request = {} } = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const headers = await signRequest(
        { method: 'POST', path, body: Buffer.from(text) },
        { privateKey: key.privateKey, algorithm: key.algorithm, keyId: deviceId, tag: 'tps-event' },
      );
      return service.client.send('POST', path, {
        credential: tenant.credential,
        body: text,
        ...request,
        headers: { ...headers, ...request.headers },
      });
    },
  };
}

/** Makes an event with an id of its own: a phishing block of severity high, just now. */
export function testEvent(members: Partial<Event> & Pick<Event, 'tenant_id' | 'device_id'>): Event {
  return {
    event_id: `evt_${randomBytes(8).toString('hex')}`,
    type: 'risk.event.created',
    timestamp: new Date().toISOString(),
    threat_category: 'phishing',
    confidence: 0.9,
    action_taken: 'block',
    policy_id: 'pol_test',
    severity: 'high',
    ...members,
  };
}

/** Lists what the audit trail says of a resource, oldest first: `<action> <outcome>`. */
export async function auditOf({ service }: TestService, resourceId: string): Promise<string[]> {
  const rows = await service.database.read.db
    .selectFrom('audit_entries')
    .select(['action', 'outcome'])
    .where('resource_id', '=', resourceId)
    .orderBy('audit_id')
    .execute();
  return rows.map(({ action, outcome }) => `${action} ${outcome}`);
}
