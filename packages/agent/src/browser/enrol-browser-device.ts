import { type Enrolment, enrol } from '../enrolment/enrol.ts';
import type { DeviceIdentity } from '../ports/identity.ts';
import { type BrowserPlaceOptions, openBrowserPlace } from './browser-place.ts';

/** The device, the service and the database of an enrolment. */
export interface BrowserEnrolOptions extends Enrolment, BrowserPlaceOptions {}

/**
 * Registers a device with the service, and stores its keys and identity in a database of the browser. The keys cannot be
 * exported. Like `enrolDevice` it can be repeated, and then continues under the same id and key.
 *
 * @throws Error when the database belongs to another device, tenant, platform or service
 * @throws StorageError `in_use` while an agent or another enrolment has the database open
 * @throws ServiceUnreachableError when the service did not answer
 * @throws DeviceClientError when the service refused
 */
export async function enrolBrowserDevice(options: BrowserEnrolOptions): Promise<DeviceIdentity> {
  const place = await openBrowserPlace(options);
  try {
    return await enrol(place, options);
  } finally {
    await place.storage.close();
  }
}
