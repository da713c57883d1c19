import { type Enrolment, enrol } from '../enrolment/enrol.ts';
import type { DeviceIdentity } from '../ports/identity.ts';
import { devicePaths } from './device-paths.ts';
import { devicePlace } from './device-place.ts';
import { openFileStorage } from './storage/file-storage.ts';

/** The device, the service and the directory of an enrolment. */
export interface EnrolOptions extends Enrolment {
  /** The device's directory. Created if it does not exist. */
  readonly directory: string;
}

/**
 * Registers a device with the service, and stores its keys and identity in a directory. After a crash or without an
 * answer, repeat the call: it continues under the same id and key. With an enrolment secret, the service gives the device
 * its own credential, which is stored encrypted. For a directory that is already enrolled it returns the identity
 * without a request, unless the device's own credential has expired.
 *
 * @throws Error when the directory belongs to another device, tenant, platform or service
 * @throws ServiceUnreachableError when the service did not answer
 * @throws DeviceClientError when the service refused
 */
export async function enrolDevice(options: EnrolOptions): Promise<DeviceIdentity> {
  const { directory } = options;
  const storage = await openFileStorage({ directory: devicePaths(directory).store });
  try {
    return await enrol(devicePlace(directory, storage), options);
  } finally {
    await storage.close();
  }
}
