import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import {
  closed,
  DisplayName,
  nullable,
  Platform,
  stringEnum,
  Timestamp,
  timestampOf,
} from '../schema/values.ts';

export const DEVICE_STATUSES = ['active', 'revoked'] as const;
export const DeviceStatus = stringEnum(
  DEVICE_STATUSES,
  'A `revoked` device can never send or register again.',
);
export type DeviceStatus = Static<typeof DeviceStatus>;

/** DER SubjectPublicKeyInfo in Base64. A 4096-bit RSA key takes about 740 characters. */
export const PublicKey = Type.String({
  minLength: 40,
  maxLength: 1200,
  description:
    'Canonical Base64 of a DER SubjectPublicKeyInfo: RSA of 2048 to 4096 bits (`rsaEncryption`), P-256 (named curve, uncompressed point) or Ed25519. Weak keys are rejected.',
});

const AgentVersion = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Version of the agent on the device.',
});

/** A phone or computer whose agent signs events. */
export const Device = closed(
  {
    device_id: idOf('device'),
    tenant_id: idOf('tenant'),
    platform: Platform,
    status: DeviceStatus,
    public_key_b64: PublicKey,
    agent_version: Type.Optional(AgentVersion),
    last_seen: Type.Optional(Timestamp),
    name: Type.Optional(DisplayName),
    registered_at: Timestamp,
    revoked_at: nullable(Timestamp),
  },
  { $id: 'Device', description: 'A phone or computer whose agent signs events.' },
);
export type Device = Static<typeof Device>;

/** A credential that is bound to one device, shown only once. */
export const DeviceCredential = closed(
  {
    token_id: idOf('token'),
    token: Type.String({ description: 'The credential, shown only once.' }),
    expires_at: Timestamp,
    renew_at: timestampOf('When the device should renew it: at two thirds of its lifetime.'),
  },
  { $id: 'DeviceCredential', description: 'A credential that is bound to one device.' },
);
export type DeviceCredential = Static<typeof DeviceCredential>;

const UpdateTag = (operation: string) =>
  nullable(
    Type.String({
      maxLength: 200,
      description: `The \`ETag\` of ${operation}. Null when no tag covers everything: read it each time.`,
    }),
  );

/** Response of GET /devices/{id}/updates. */
export const DeviceUpdates = closed(
  {
    policies: UpdateTag('GET /policies?limit=100'),
    indicators: UpdateTag('GET /indicators/bundle'),
  },
  { $id: 'DeviceUpdates', description: 'The current tags of what a device follows.' },
);
export type DeviceUpdates = Static<typeof DeviceUpdates>;

/** Response of POST /devices. */
export const RegisteredDevice = closed(
  {
    ...Device.properties,
    /** Present when an enrolment secret registered the device. */
    credential: Type.Optional(DeviceCredential),
  },
  { $id: 'RegisteredDevice', description: 'The device and, when it enrolled, its credential.' },
);
export type RegisteredDevice = Static<typeof RegisteredDevice>;

/**
 * Body of POST /devices, signed by the private half of `public_key_b64`. It names the tenant, so that what a device signs
 * for one tenant registers it in no other.
 */
export const DeviceRegistration = closed(
  {
    tenant_id: idOf('tenant'),
    device_id: idOf('device'),
    platform: Platform,
    public_key_b64: PublicKey,
    agent_version: Type.Optional(AgentVersion),
    name: Type.Optional(DisplayName),
  },
  { $id: 'DeviceRegistration', description: 'A device to register.' },
);
export type DeviceRegistration = Static<typeof DeviceRegistration>;

/** Body of PATCH /devices/{id}. `status` can only change from active to revoked. */
export const DeviceChange = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    name: Type.Optional(DisplayName),
    agent_version: Type.Optional(AgentVersion),
    status: Type.Optional(stringEnum(['revoked'], 'Revokes the device permanently.')),
  },
  { $id: 'DeviceChange', minProperties: 1, description: 'Members to change; the others stay as they are.' },
);
export type DeviceChange = Static<typeof DeviceChange>;

/**
 * Body of POST /devices/{id}/keys, signed twice: label `old` by the current key, label `new` by the new one. It names the
 * tenant for the same reason as a registration.
 */
export const DeviceKeyRotation = closed(
  { tenant_id: idOf('tenant'), public_key_b64: PublicKey },
  { $id: 'DeviceKeyRotation', description: 'The new public key.' },
);
export type DeviceKeyRotation = Static<typeof DeviceKeyRotation>;

/** Body of POST /devices/{id}/credential, signed by the key of the device. */
export const CredentialRenewal = closed(
  { tenant_id: idOf('tenant') },
  { $id: 'CredentialRenewal', description: 'A request for the next credential of a device.' },
);
export type CredentialRenewal = Static<typeof CredentialRenewal>;
