export * from './core.ts';
export {
  createDeviceClient,
  type DeviceClient,
  type DeviceClientOptions,
  type DeviceDetails,
} from './device-client.ts';
export { deviceKeyFrom, generateDeviceKey, type SoftwareKey } from './device-key.ts';
export { type EnrolOptions, enrolDevice } from './node/enrol-device.ts';
export { createDeviceKeys, type FileDeviceKeysOptions, openDeviceKeys } from './node/file-device-keys.ts';
export { type FileStorageOptions, openFileStorage } from './node/file-storage.ts';
export { type Credential, createHttpTransport, type HttpTransportOptions } from './node/http-transport.ts';
export { type NodeAgentOptions, openNodeAgent } from './node/open-node-agent.ts';
export { ServiceUnreachableError } from './service-unreachable-error.ts';
export type { Answer } from './signed-post.ts';
