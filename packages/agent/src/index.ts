export {
  createDeviceClient,
  type DeviceClient,
  type DeviceClientOptions,
  type DeviceDetails,
} from './device-client.ts';
export { DeviceClientError } from './device-client-error.ts';
export { type DeviceKey, deviceKeyFrom, generateDeviceKey, type SoftwareKey } from './device-key.ts';
export type { Answer } from './signed-post.ts';
