import { randomBytes } from 'node:crypto';
import { createDeviceClient, generateDeviceKey, type SoftwareKey } from '@tps/agent';
import type { Event } from '@tps/contract';
import { type SignatureAlgorithm, signRequest } from '@tps/signatures';
import type { TestAnswer } from '../service/check-answer.ts';
import type { TestRequest } from '../service/contract-client.ts';
import { testFetch } from '../service/test-fetch.ts';
import type { TestService, TestTenant } from '../service/test-service.ts';

/** A registered device, and its key for requests that the agent would not send. */
export interface TestDevice {
  readonly deviceId: string;
  readonly key: SoftwareKey;
  readonly tenant: TestTenant;
  /** Creates an event of this device: a phishing block, with `members` replaced. */
  event(members?: Partial<Event>): Event;
  /** Signs a body and sends it to POST /events, or to another path. */
  post(body: unknown, options?: { path?: string; request?: TestRequest }): Promise<TestAnswer>;
}

/** Registers a device with a new key. Ed25519 is the default: its keys are the fastest to generate. */
export async function registerTestDevice(
  service: TestService,
  options: { tenant?: TestTenant; algorithm?: SignatureAlgorithm; deviceId?: string } = {},
): Promise<TestDevice> {
  const tenant = options.tenant ?? service.tenant;
  const deviceId = options.deviceId ?? `dev_${randomBytes(6).toString('hex')}`;
  const key = await generateDeviceKey(options.algorithm ?? 'ed25519');
  const { baseUrl } = service;
  const { credential } = tenant;
  const client = createDeviceClient({
    baseUrl,
    credential,
    deviceId,
    tenantId: tenant.tenantId,
    key,
    fetch: testFetch,
  });
  await client.register({ platform: 'android' });
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
        credential,
        body: text,
        ...request,
        headers: { ...headers, ...request.headers },
      });
    },
  };
}

/** Creates an event with a new id: a phishing block of high severity, at the present time. */
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
