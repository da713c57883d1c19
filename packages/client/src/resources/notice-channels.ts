import {
  type CallOptions,
  type Connection,
  done,
  type KeyedOptions,
  readData,
  readVersion,
} from '../http/connection.ts';
import type { List } from '../paging/list.ts';
import type {
  NewNoticeChannel,
  NoticeChannel,
  NoticeChannelChange,
  NoticeChannelPage,
  NoticePage,
  TestNotice,
} from '../schemas.ts';
import { createListOf, itemRequest, type ListOptions, type ReadOptions } from './read-options.ts';
import type { TenantParam } from './webhooks.ts';
import { changeRequest, createRequest } from './write-requests.ts';

/** Options for changing a notice channel. */
export interface NoticeChannelUpdateOptions extends CallOptions {
  /** The `etag` that was read with the channel. The change is refused if the channel has changed since. */
  readonly ifMatch?: string | undefined;
}

/** Calls on notice channels: where the service reports incidents and a degraded status. */
export function noticeChannelsResource(connection: Connection) {
  const { api, call } = connection;
  const request = (id: string, options: ReadOptions<'getNoticeChannel'>) =>
    api.GET('/notice-channels/{id}', itemRequest(connection, id, options));
  return {
    list: (options: ListOptions<'listNoticeChannels'> = {}): List<NoticeChannelPage> =>
      createListOf(connection, options, (init) => api.GET('/notice-channels', init)),

    get: (id: string, options: ReadOptions<'getNoticeChannel'> = {}): Promise<NoticeChannel> =>
      readData(request(id, options)),

    /** Gets a channel with the `etag` of its version, for `ifMatch`. */
    getVersion: async (
      id: string,
      options: ReadOptions<'getNoticeChannel'> = {},
    ): Promise<{ channel: NoticeChannel; etag: string }> => {
      const { data, etag } = await readVersion(request(id, options));
      return { channel: data, etag };
    },

    create: (channel: NewNoticeChannel, options: KeyedOptions = {}): Promise<NoticeChannel> =>
      readData(api.POST('/notice-channels', createRequest(connection, channel, options))),

    /** @throws ConflictError `version_mismatch` */
    update: (
      id: string,
      change: NoticeChannelChange,
      { ifMatch, ...options }: NoticeChannelUpdateOptions = {},
    ): Promise<NoticeChannel> => {
      const header = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
      const init = { params: { path: { id }, header }, body: change };
      return readData(api.PATCH('/notice-channels/{id}', { ...init, ...call(options, 'rate-limit') }));
    },

    /** Deletes a channel and its notices. */
    remove: (id: string, options: ReadOptions<'deleteNoticeChannel'> = {}): Promise<void> =>
      done(api.DELETE('/notice-channels/{id}', itemRequest(connection, id, options))),

    /** Sends a test notice. */
    test: (id: string, body: TenantParam = {}, options: CallOptions = {}): Promise<TestNotice> =>
      readData(api.POST('/notice-channels/{id}/test', changeRequest(connection, { id, body }, options))),

    /** Lists the notices of all channels, newest first. */
    notices: (options: ListOptions<'listNotices'> = {}): List<NoticePage> =>
      createListOf(connection, options, (init) => api.GET('/notices', init)),
  };
}
