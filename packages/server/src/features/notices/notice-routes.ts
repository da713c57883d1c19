import {
  createNoticeChannel,
  deleteNoticeChannel,
  getNoticeChannel,
  listNoticeChannels,
  listNotices,
  testNoticeChannel,
  updateNoticeChannel,
} from '@tps/contract';
import { oncePerKey } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { readPage } from '../../platform/http/page.ts';
import { requestedChange } from '../../platform/http/requested-change.ts';
import { type Reply, type Route, route } from '../../platform/http/route.ts';
import { toAnyOf, toTimeRange } from '../../platform/list-filters.ts';
import { notFound } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { RequestDatabase } from '../authority/index.ts';
import type { NoticeChannelService } from './channels/channel-service.ts';
import * as channelStore from './channels/channel-store.ts';
import { etagOf, type NoticeChannelRecord, toNoticeChannel } from './channels/notice-channel.ts';
import { toNotice } from './notice.ts';
import * as noticeStore from './notice-store.ts';

interface Parts {
  readonly database: RequestDatabase;
  readonly cursors: CursorCodec;
  readonly clock: Clock;
  readonly channels: NoticeChannelService;
}

export function noticeRoutes(parts: Parts): Route[] {
  const { database, cursors, clock, channels } = parts;
  const { read } = database;
  return [
    route(listNoticeChannels, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listNoticeChannels.path, query },
        read: (page) => channelStore.list(read, tenantId, page),
        keyOf: ({ channelId }) => [channelId],
        toItem: (channel) => toNoticeChannel(channel, tenantId),
      }),
    })),

    route(createNoticeChannel, async (exchange) => {
      const { tenantId } = exchange;
      const wanted = exchange.body();
      await channels.accept(wanted);
      return database.transaction(exchange, (tx) =>
        oncePerKey(tx, {
          exchange,
          nowMs: clock.now(),
          work: async () => {
            const channel = await channels.create(tx, wanted, exchange);
            const location = `/notice-channels/${channel.channelId}`;
            return { status: 201, location, body: toNoticeChannel(channel, tenantId) };
          },
          forRepeat: ({ body }) => body,
        }),
      );
    }),

    route(getNoticeChannel, async ({ tenantId, id }) => {
      const channel = await channelStore.find(read, tenantId, id);
      if (!channel) throw notFound('notice channel');
      return replyWith(tenantId, channel);
    }),

    route(updateNoticeChannel, async (exchange) => {
      const { tenantId, id } = exchange;
      const change = requestedChange(exchange.body());
      const ifMatch = exchange.header('if-match');
      return replyWith(tenantId, await channels.update(tenantId, id, { change, ifMatch, request: exchange }));
    }),

    route(deleteNoticeChannel, async (exchange) => {
      await channels.remove(exchange.tenantId, exchange.id, exchange);
      return { status: 204 };
    }),

    route(testNoticeChannel, async (exchange) => {
      // The body is not used, but unknown members are rejected.
      exchange.body();
      const noticeId = await channels.test(exchange.tenantId, exchange.id, exchange);
      return { status: 202, body: { notice_id: noticeId, channel_id: exchange.id } };
    }),

    listRoute(parts),
  ];
}

function listRoute({ database: { read }, cursors }: Parts): Route {
  return route(listNotices, async ({ tenantId, query }) => {
    const filter = {
      channelId: toAnyOf(query.channel_id),
      state: toAnyOf(query.state),
      cause: toAnyOf(query.cause),
      created: toTimeRange(query),
    };
    return {
      status: 200,
      body: await readPage({
        cursors,
        request: { tenantId, route: listNotices.path, query },
        read: (page) => noticeStore.list(read, tenantId, { filter, page }),
        keyOf: ({ noticeId }) => [noticeId],
        toItem: (notice) => toNotice(notice, tenantId),
      }),
    };
  });
}

function replyWith(tenantId: TenantId, channel: NoticeChannelRecord): Reply {
  return { status: 200, body: toNoticeChannel(channel, tenantId), etag: etagOf(channel) };
}
