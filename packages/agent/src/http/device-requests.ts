import type {
  CredentialRenewal,
  DeviceKeyRotation,
  DeviceRegistration,
  Event,
  EventBatch,
} from '@tps/contract';
import type { RequestSigner, SignatureTag } from '@tps/signatures';
import type { DeviceKey } from '../ports/keys.ts';
import type { JsonRequest } from './json-exchange.ts';

/** What a device sends about itself when it registers. */
export type RegistrationContent = Omit<DeviceRegistration, 'tenant_id' | 'device_id' | 'public_key_b64'>;

/** A POST request with the keys that sign it. */
export type SignedRequest = JsonRequest & Required<Pick<JsonRequest, 'post'>>;

/**
 * Creates the functions that build the requests one device signs: content, path, keys and signature tags. Each takes
 * when the request is signed, in Unix milliseconds by the service's clock; without it, the device's clock dates it.
 */
export function createDeviceRequests({ deviceId, tenantId }: { deviceId: string; tenantId: string }) {
  const post = (path: string, content: object, signers: readonly RequestSigner[]): SignedRequest => ({
    path,
    post: { content, signers },
  });
  const signer = (
    { sign, algorithm }: DeviceKey,
    tag: SignatureTag,
    { label = 'tps', signedAtMs }: { label?: string; signedAtMs: number | undefined },
  ): RequestSigner => ({
    privateKey: sign,
    algorithm,
    keyId: deviceId,
    tag,
    label,
    ...(signedAtMs === undefined ? {} : { created: Math.floor(signedAtMs / 1000) }),
  });
  return {
    register(key: DeviceKey, about: RegistrationContent, signedAtMs?: number): SignedRequest {
      const content: DeviceRegistration = {
        tenant_id: tenantId,
        device_id: deviceId,
        public_key_b64: key.publicKeyB64,
        ...about,
      };
      return post('devices', content, [signer(key, 'tps-register', { signedAtMs })]);
    },
    submitEvent(key: DeviceKey, event: Event, signedAtMs?: number): SignedRequest {
      return post('events', event, [signer(key, 'tps-event', { signedAtMs })]);
    },
    submitEvents(key: DeviceKey, events: readonly Event[], signedAtMs?: number): SignedRequest {
      const content: EventBatch = { events: [...events] };
      return post('events/batch', content, [signer(key, 'tps-event', { signedAtMs })]);
    },
    renewCredential(key: DeviceKey, signedAtMs?: number): SignedRequest {
      const content: CredentialRenewal = { tenant_id: tenantId };
      const path = `devices/${encodeURIComponent(deviceId)}/credential`;
      return post(path, content, [signer(key, 'tps-renew', { signedAtMs })]);
    },
    rotateKey({ old, next }: { old: DeviceKey; next: DeviceKey }, signedAtMs?: number): SignedRequest {
      const content: DeviceKeyRotation = { tenant_id: tenantId, public_key_b64: next.publicKeyB64 };
      return post(`devices/${encodeURIComponent(deviceId)}/keys`, content, [
        signer(old, 'tps-rotate', { label: 'old', signedAtMs }),
        signer(next, 'tps-rotate', { label: 'new', signedAtMs }),
      ]);
    },
  };
}
