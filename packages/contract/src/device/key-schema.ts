import { type Static, Type } from 'typebox';
import { closed, nullable, stringEnum, timestampOf } from '../schema/values.ts';

export const DEVICE_KEY_TYPES = ['rsa', 'p256', 'ed25519'] as const;

/** The public key of a device, in words. */
export const DeviceKey = closed(
  {
    type: stringEnum(DEVICE_KEY_TYPES, 'Type of the key.'),
    bits: Type.Integer({ minimum: 256, maximum: 4096, description: 'Length of the key.' }),
    fingerprint: Type.String({
      pattern: '^[0-9a-f]{64}$',
      maxLength: 64,
      description: 'SHA-256 of the DER SubjectPublicKeyInfo. Lower-case hex.',
    }),
    replaced_at: nullable(
      timestampOf('The last replacement of the key that the audit log has. Null if there is none.'),
    ),
  },
  { $id: 'DeviceKey', description: 'The present public key of a device.' },
);
export type DeviceKey = Static<typeof DeviceKey>;
