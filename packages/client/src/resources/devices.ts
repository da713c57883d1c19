import { type CallOptions, type Connection, readData } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type { Device, DeviceChange, DeviceKeyRotation, DevicePage, DeviceRegistration } from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';
import { type SignedRequest, signedInit } from './signed-request.ts';

/** Makes the calls about devices. */
export function devicesResource(connection: Connection) {
  const { api, call } = connection;
  return {
    /** Lists devices, newest registration first. */
    list: (options: ListOptions<'listDevices'> = {}): List<DevicePage> =>
      createListOf(connection, options, (init) => api.GET('/devices', init)),

    get: (id: string, options: ReadOptions<'getDevice'> = {}): Promise<Device> =>
      readData(api.GET('/devices/{id}', itemRequest(connection, id, options))),

    /** Renames a device or revokes it, which is final. */
    update: (id: string, change: DeviceChange, options: CallOptions = {}): Promise<Device> => {
      const params = { path: { id } };
      return readData(api.PATCH('/devices/{id}', { params, body: change, ...call(options, 'rate-limit') }));
    },

    /** Registers a device with what it has signed itself. The agent does this for you. */
    register: (signed: SignedRequest, options: CallOptions = {}): Promise<Device> =>
      readData(
        api.POST('/devices', { ...signedInit<DeviceRegistration>(signed), ...call(options, 'nothing') }),
      ),

    /** Gives a device another key with what the old and the new one have signed. The agent does this for you. */
    rotateKey: (id: string, signed: SignedRequest, options: CallOptions = {}): Promise<Device> => {
      const { params, ...init } = signedInit<DeviceKeyRotation>(signed);
      const path = { params: { ...params, path: { id } } };
      return readData(api.POST('/devices/{id}/keys', { ...init, ...path, ...call(options, 'nothing') }));
    },
  };
}
