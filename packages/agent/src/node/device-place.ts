import type { DevicePlace } from '../enrolment/enrol.ts';
import type { AgentStorage } from '../ports/storage.ts';
import { devicePaths } from './device-paths.ts';
import { createDeviceKeys, openDeviceKeys } from './keys/file-device-keys.ts';

/** A directory as the place of a device. */
export function devicePlace(directory: string, storage: AgentStorage): DevicePlace {
  const path = devicePaths(directory).keys;
  return {
    kind: 'directory',
    storage,
    openKeys: () => openDeviceKeys({ path }),
    createKeys: (algorithm) => createDeviceKeys({ path, algorithm }),
  };
}
