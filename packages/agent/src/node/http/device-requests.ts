import type { DeviceKeyRotation, DeviceRegistration, Event, EventBatch } from '@tps/contract';
import type { RequestSigner, SignatureTag } from '@tps/signatures';
import type { DeviceKey } from '../keys/software-key.ts';
import type { JsonRequest } from './json-exchange.ts';

/** What a device says about itself when it registers. */
export type Introduction = Omit<DeviceRegistration, 'device_id' | 'public_key_b64'>;

/** A request that a device posts, with those who sign it. */
export type SignedRequest = JsonRequest & Required<Pick<JsonRequest, 'post'>>;

/**
 * Makes the requests that one device signs: what stands in them, where they go, and under which key and tag.
 *
 * @param createdSeconds tells when they are signed, in Unix seconds by the service's clock; by the device's when left out
 */
export function createDeviceRequests(deviceId: string, createdSeconds?: () => number) {
  const signer = ({ sign, algorithm }: DeviceKey, tag: SignatureTag, label = 'tps'): RequestSigner => ({
    privateKey: sign,
    algorithm,
    keyId: deviceId,
    tag,
    label,
    ...(createdSeconds === undefined ? {} : { created: createdSeconds() }),
  });
  return {
    register: (key: DeviceKey, introduction: Introduction): SignedRequest => {
      const content: DeviceRegistration = {
        device_id: deviceId,
        public_key_b64: key.publicKeyB64,
        ...introduction,
      };
      return { path: 'devices', post: { content, signers: [signer(key, 'tps-register')] } };
    },
    submitEvent: (key: DeviceKey, event: Event): SignedRequest => ({
      path: 'events',
      post: { content: event, signers: [signer(key, 'tps-event')] },
    }),
    submitEvents: (key: DeviceKey, events: readonly Event[]): SignedRequest => {
      const content: EventBatch = { events: [...events] };
      return { path: 'events/batch', post: { content, signers: [signer(key, 'tps-event')] } };
    },
    rotateKey: ({ old, next }: { old: DeviceKey; next: DeviceKey }): SignedRequest => {
      const content: DeviceKeyRotation = { public_key_b64: next.publicKeyB64 };
      const signers = [signer(old, 'tps-rotate', 'old'), signer(next, 'tps-rotate', 'new')];
      return { path: `devices/${encodeURIComponent(deviceId)}/keys`, post: { content, signers } };
    },
  };
}
