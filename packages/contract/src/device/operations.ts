import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { countsOperation } from '../schema/counts.ts';
import { anyOf, createdWithin } from '../schema/filters.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { Platform } from '../schema/values.ts';
import { DeviceHealth } from './health-schema.ts';
import {
  CredentialRenewal,
  Device,
  DeviceChange,
  DeviceCredential,
  DeviceKeyRotation,
  DeviceRegistration,
  DeviceStatus,
  DeviceUpdates,
  RegisteredDevice,
} from './schema.ts';

const publicKey = 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=';

const device = {
  device_id: 'dev_pixel-8-anna',
  tenant_id: 'tnt_example',
  platform: 'android',
  status: 'active',
  public_key_b64: publicKey,
  agent_version: '2.4.1',
  last_seen: '2026-03-02T09:15:04.120Z',
  name: 'Front desk phone',
  registered_at: '2026-01-12T08:00:00.000Z',
  revoked_at: null,
};

/** `token` stands for the credential: an example must not look like a working one. */
const credential = {
  token_id: 'tok_06ays3w8jrv2k7d1m5q9x4t0zc',
  token: 'svc_live_<33 characters><6 characters of checksum>',
  expires_at: '2026-04-12T08:00:00.000Z',
  renew_at: '2026-03-13T08:00:00.000Z',
};

const filters = { status: anyOf(DeviceStatus), platform: anyOf(Platform), ...createdWithin };

export const listDevices = operation({
  operationId: 'listDevices',
  method: 'GET',
  path: '/devices',
  tag: 'devices',
  summary: 'List registered devices',
  description: 'Newest registration first.',
  scope: 'devices:read',
  query: pageQuery(filters),
  responses: {
    200: {
      description: 'A page of devices.',
      schema: pageOf('DevicePage', Device, {}),
      example: { data: [device], has_more: false, next_cursor: null },
    },
  },
});

export const countDevices = countsOperation({
  list: listDevices,
  operationId: 'countDevices',
  noun: 'devices',
  filters,
  time: 'time of registration',
});

export const registerDevice = operation({
  operationId: 'registerDevice',
  method: 'POST',
  path: '/devices',
  tag: 'devices',
  summary: 'Register a device',
  description:
    'The request is signed with the private key of `public_key_b64`, which proves possession. The signed body names the tenant of the credential, so the request is worth nothing in another tenant. Registering the same ID and key again is 200 and changes nothing. The same ID with another key is 409 `device_key_conflict`, audited. A revoked ID is 403 `device_revoked`. With an enrolment secret, the response contains a credential that is bound to the device; each new device counts as one use of the secret.',
  scope: 'devices:write',
  openTo: ['enrolment'],
  signature: 'tps-register',
  bodySize: 'key',
  body: DeviceRegistration,
  bodyExample: {
    tenant_id: device.tenant_id,
    device_id: device.device_id,
    platform: device.platform,
    public_key_b64: publicKey,
    agent_version: device.agent_version,
    name: device.name,
  },
  responses: {
    201: {
      description: 'Registered.',
      schema: RegisteredDevice,
      example: { ...device, credential },
      headers: ['Location'],
    },
    200: {
      description: 'The device was already registered with this key.',
      schema: RegisteredDevice,
      example: device,
    },
  },
  errors: ['invalid_public_key', 'device_key_conflict', 'device_revoked', 'enrolment_exhausted'],
});

export const getDevice = operation({
  operationId: 'getDevice',
  method: 'GET',
  path: '/devices/{id}',
  tag: 'devices',
  summary: 'Read one device',
  scope: 'devices:read',
  openTo: ['device'],
  id: 'device',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 200: { description: 'The device.', schema: Device, example: device } },
});

export const getDeviceHealth = operation({
  operationId: 'getDeviceHealth',
  method: 'GET',
  path: '/devices/{id}/health',
  tag: 'devices',
  summary: 'Read how a device is doing',
  description:
    'Its last contact, its key, the end of its event chain, how its recent events fit that chain, and unresolved incidents about the device itself.',
  scope: 'devices:read',
  id: 'device',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: {
    200: {
      description: 'The health of the device.',
      schema: DeviceHealth,
      example: {
        device_id: device.device_id,
        tenant_id: device.tenant_id,
        status: 'active',
        last_seen: device.last_seen,
        silent: false,
        silent_after_hours: 24,
        failing_signatures: false,
        key: {
          type: 'ed25519',
          bits: 256,
          fingerprint: 'bd0ad9d6a0f2f8fd7b3c8a2e4c6b7d8f9a0b1c2d3e4f5a6b5e0f5d1c1a35b2c2',
          replaced_at: null,
        },
        chain: {
          sequence: 118,
          last_event_hash: '5e0f5d1c1a35b2c2bd0ad9d6a0f2f8fd7b3c8a2e4c6b7d8f9a0b1c2d3e4f5a6b',
        },
        recent: {
          complete: true,
          events: 118,
          chain_states: [
            {
              state: 'linked',
              count: 118,
              last_event_id: 'evt_0mf3k2c8v1r6t',
              last_received_at: '2026-03-02T09:15:04.120Z',
            },
          ],
        },
        incidents: [],
      },
    },
  },
});

export const getDeviceUpdates = operation({
  operationId: 'getDeviceUpdates',
  method: 'GET',
  path: '/devices/{id}/updates',
  tag: 'devices',
  summary: 'Read the tags of what a device follows',
  description:
    'With `If-None-Match`, one request finds out whether policies or indicators have changed. Read what has another tag than your copy with its own operation. `policies` is null for more than 100 policies.',
  scope: 'devices:read',
  openTo: ['device'],
  id: 'device',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  headers: ['If-None-Match'],
  responses: {
    200: {
      description: 'The tags.',
      schema: DeviceUpdates,
      example: {
        policies: '"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NM"',
        indicators: 'W/"3fJq0bXw.1767225600000.0.2922"',
      },
      headers: ['ETag'],
    },
    304: { description: 'No tag has changed.', headers: ['ETag'] },
  },
});

export const updateDevice = operation({
  operationId: 'updateDevice',
  method: 'PATCH',
  path: '/devices/{id}',
  tag: 'devices',
  summary: 'Rename or revoke a device',
  description:
    'Revocation is permanent: the device cannot send or register again, and its credentials end at once.',
  scope: 'devices:write',
  id: 'device',
  body: DeviceChange,
  bodyExample: { name: 'Reception phone' },
  responses: {
    200: {
      description: 'The updated device.',
      schema: Device,
      example: { ...device, name: 'Reception phone' },
    },
  },
});

export const rotateDeviceKey = operation({
  operationId: 'rotateDeviceKey',
  method: 'POST',
  path: '/devices/{id}/keys',
  tag: 'devices',
  summary: "Replace a device's key",
  description:
    'The request has two signatures with the tag `tps-rotate`: label `old` by the current key, label `new` by the key in the body. After the response only the new key is accepted.',
  scope: 'devices:write',
  openTo: ['device'],
  signature: 'tps-rotate',
  bodySize: 'key',
  id: 'device',
  body: DeviceKeyRotation,
  bodyExample: { tenant_id: device.tenant_id, public_key_b64: publicKey },
  responses: { 200: { description: 'The device with its new key.', schema: Device, example: device } },
  errors: ['invalid_public_key', 'device_revoked'],
});

export const renewDeviceCredential = operation({
  operationId: 'renewDeviceCredential',
  method: 'POST',
  path: '/devices/{id}/credential',
  tag: 'devices',
  summary: 'Create the next credential of a device',
  description:
    'The key of the device signs the request. The device credential that is used stays valid for up to 7 days, so that a lost response does not lock the device out; all others of the device end. A token that is used instead needs every scope of the credential, which never outlives it.',
  scope: 'devices:write',
  openTo: ['device'],
  signature: 'tps-renew',
  bodySize: 'key',
  id: 'device',
  body: CredentialRenewal,
  bodyExample: { tenant_id: device.tenant_id },
  responses: { 201: { description: 'The new credential.', schema: DeviceCredential, example: credential } },
  errors: ['device_revoked', 'scope_escalation'],
});

export const deviceOperations = [
  listDevices,
  countDevices,
  registerDevice,
  getDevice,
  getDeviceHealth,
  getDeviceUpdates,
  updateDevice,
  rotateDeviceKey,
  renewDeviceCredential,
] as const;
