export { DeviceKeys, type OnInvalidSignature, type SigningDevice } from './device-keys.ts';
export { deviceRoutes } from './device-routes.ts';
export { DeviceService, replayed } from './device-service.ts';
export * as deviceStore from './device-store.ts';
export * as nonceStore from './nonce-store.ts';
export { type SignedRequest, type VerifiedRequest, verifyDeviceRequest } from './signed-request.ts';
