export { DeviceCounts } from './device-counts.ts';
export { DeviceKeys } from './device-keys.ts';
export * as deviceStore from './device-store.ts';
export { describeSigningKey } from './health/device-key-facts.ts';
export { SignatureFailures } from './monitoring/signature-failures.ts';
export { SilenceWatch } from './monitoring/silence-watch.ts';
export * as nonceStore from './nonce-store.ts';
export { replayed, type SignedRequest, type VerifiedRequest, verifyDeviceRequest } from './signed-request.ts';
