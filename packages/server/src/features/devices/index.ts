export { DeviceCounts } from './device-counts.ts';
export { DeviceKeys } from './device-keys.ts';
export { ONLINE_MS, STALE_MS } from './device-presence.ts';
export * as deviceStore from './device-store.ts';
export { describeSigningKey } from './health/device-key-facts.ts';
export * as nonceStore from './nonce-store.ts';
export { replayed, type SignedRequest, type VerifiedRequest, verifyDeviceRequest } from './signed-request.ts';
