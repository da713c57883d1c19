export * from './core.ts';
export { type EnrolOptions, enrolDevice } from './node/enrol-device.ts';
export { hasOwnCredential } from './node/has-own-credential.ts';
export {
  createDeviceClient,
  type DeviceClient,
  type DeviceClientOptions,
  type DeviceDetails,
} from './node/http/device-client.ts';
export type { Answer } from './node/http/signed-post.ts';
export {
  createDeviceKeys,
  type FileDeviceKeysOptions,
  openDeviceKeys,
} from './node/keys/file-device-keys.ts';
export { deviceKeyFrom, generateDeviceKey, type SoftwareKey } from './node/keys/software-key.ts';
export { type NodeAgentOptions, openNodeAgent } from './node/open-node-agent.ts';
export { lockDirectory, type ReleaseLock } from './node/storage/directory-lock.ts';
export { type FileStorageOptions, openFileStorage } from './node/storage/file-storage.ts';
export { toDetection } from './recording/to-detection.ts';
