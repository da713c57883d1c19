import { type CallOptions, type Connection, readData, readIfChanged } from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import { bulkCalls } from '../paging/repeat-bulk.ts';
import type {
  Counts,
  CredentialRenewal,
  Device,
  DeviceBulk,
  DeviceBulkResults,
  DeviceChange,
  DeviceCredential,
  DeviceHealth,
  DeviceKeyRotation,
  DevicePage,
  DeviceRegistration,
  DeviceUpdates,
  RegisteredDevice,
} from '../schemas.ts';
import {
  createListOf,
  itemRequest,
  type ListOptions,
  queryRequest,
  type ReadOptions,
} from './read-options.ts';
import { type SignedRequest, signedInit } from './signed-request.ts';
import { changeRequest } from './write-requests.ts';

/** Options for fetching tags that the caller may already have. */
export type ChangedUpdatesOptions = ReadOptions<'getDeviceUpdates'> & {
  readonly ifNoneMatch?: string | undefined;
};

/** Calls on devices. */
export function devicesResource(connection: Connection) {
  const { api, call } = connection;
  return {
    ...bulkCalls(
      (body: DeviceBulk, options): Promise<DeviceBulkResults> =>
        readData(api.POST('/devices/bulk', { body, ...call(options, 'rate-limit') })),
    ),

    /** Lists devices, newest registration first. */
    list: (options: ListOptions<'listDevices'> = {}): List<DevicePage> =>
      createListOf(connection, options, (init) => api.GET('/devices', init)),

    /** Counts what the list finds with the same filters, over time. */
    counts: (options: ReadOptions<'countDevices'> = {}): Promise<Counts> =>
      readData(api.GET('/devices/counts', queryRequest(connection, options))),

    get: (id: string, options: ReadOptions<'getDevice'> = {}): Promise<Device> =>
      readData(api.GET('/devices/{id}', itemRequest(connection, id, options))),

    /** Reads how a device is doing: its contact, key, event chain, and incidents about the device itself. */
    health: (id: string, options: ReadOptions<'getDeviceHealth'> = {}): Promise<DeviceHealth> =>
      readData(api.GET('/devices/{id}/health', itemRequest(connection, id, options))),

    /** Fetches the tags of what a device follows, with their `etag`. Undefined when `ifNoneMatch` is still that etag. */
    updatesIfChanged: async (
      id: string,
      { ifNoneMatch, ...options }: ChangedUpdatesOptions = {},
    ): Promise<{ updates: DeviceUpdates; etag: string } | undefined> => {
      const { params, ...init } = itemRequest<ReadOptions<'getDeviceUpdates'>>(connection, id, options);
      const header = ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch };
      const request = api.GET('/devices/{id}/updates', { params: { ...params, header }, ...init });
      const answer = await readIfChanged(request);
      return answer && { updates: answer.data, etag: answer.etag };
    },

    /** Renames a device, or revokes it permanently. */
    update: (id: string, change: DeviceChange, options: CallOptions = {}): Promise<Device> =>
      readData(api.PATCH('/devices/{id}', changeRequest(connection, { id, body: change }, options))),

    /** Registers a device with a request that it signed. `@tps/agent` does this for you. Never repeated. */
    register: (signed: SignedRequest, options: CallOptions = {}): Promise<RegisteredDevice> =>
      readData(
        api.POST('/devices', { ...signedInit<DeviceRegistration>(signed), ...call(options, 'nothing') }),
      ),

    /** Replaces a device's key with a request signed by both keys. `@tps/agent` does this for you. Never repeated. */
    rotateKey: (id: string, signed: SignedRequest, options: CallOptions = {}): Promise<Device> => {
      const { params, ...init } = signedInit<DeviceKeyRotation>(signed);
      const path = { params: { ...params, path: { id } } };
      return readData(api.POST('/devices/{id}/keys', { ...init, ...path, ...call(options, 'nothing') }));
    },

    /** Creates a device's next credential with a request that it signed. `@tps/agent` does this for you. Never repeated. */
    renewCredential: (
      id: string,
      signed: SignedRequest,
      options: CallOptions = {},
    ): Promise<DeviceCredential> => {
      const { params, ...init } = signedInit<CredentialRenewal>(signed);
      const path = { params: { ...params, path: { id } } };
      return readData(
        api.POST('/devices/{id}/credential', { ...init, ...path, ...call(options, 'nothing') }),
      );
    },
  };
}
