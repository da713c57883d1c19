import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { anyOf, anyOfIds, createdWithin } from '../schema/filters.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { NOTICE_CHANNEL_LIMIT, NOTICE_RETENTION_DAYS } from '../schema/vocabulary.ts';
import { NewNoticeChannel, NoticeChannel, NoticeChannelChange } from './channel-schema.ts';
import { Notice, NoticeCause, NoticeState, TestNotice } from './schema.ts';

const channel = {
  channel_id: 'nch_06ays3w8jrv2k7d1m5q9x4t0zv',
  tenant_id: 'tnt_example',
  name: 'On call',
  kind: 'slack',
  address: null,
  url_origin: 'https://hooks.slack.com',
  topics: ['incidents', 'protection'],
  min_severity: 'high',
  quiet_hours: {
    time_zone: 'Europe/Berlin',
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    from: '22:00',
    until: '07:00',
    break_through: 'critical',
  },
  max_per_hour: 10,
  status: 'active',
  version: 1,
  created_at: '2026-03-02T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:00.000Z',
};
const notice = {
  notice_id: 'ntc_06ays3w8jrv2k7d1m5q9x4t0zw',
  tenant_id: 'tnt_example',
  channel_id: channel.channel_id,
  cause: 'incident_opened',
  severity: 'high',
  resource_id: 'inc_06ays3w8jrv2k7d1m5q9x4t0zx',
  message: 'Phishing on device dev_pixel-7',
  happened_at: '2026-03-02T09:15:04.000Z',
  state: 'sent',
  attempts: 1,
  due_at: null,
  last_error: null,
  digest_id: null,
  created_at: '2026-03-02T09:15:04.000Z',
  sent_at: '2026-03-02T09:15:05.131Z',
};

const byId = { id: 'notice_channel', tag: 'notices' } as const;
const oneTenant = Type.Object(tenantQuery, { additionalProperties: false });

export const listNoticeChannels = operation({
  operationId: 'listNoticeChannels',
  method: 'GET',
  path: '/notice-channels',
  tag: 'notices',
  summary: 'List notice channels',
  description: 'Newest first.',
  scope: 'notices:read',
  query: pageQuery({}),
  responses: {
    200: {
      description: 'A page of channels.',
      schema: pageOf('NoticeChannelPage', NoticeChannel, {}),
      example: { data: [channel], has_more: false, next_cursor: null },
    },
  },
});

export const createNoticeChannel = operation({
  operationId: 'createNoticeChannel',
  method: 'POST',
  path: '/notice-channels',
  tag: 'notices',
  summary: 'Create a notice channel',
  description: `An \`email\` channel needs \`address\`, a \`slack\` channel \`url\`, a \`webhook\` channel \`url\` and \`secret\`. The service contacts the channel for the first time when there is a notice, or for a test. A tenant can have ${NOTICE_CHANNEL_LIMIT} channels.`,
  scope: 'notices:write',
  recentSignIn: true,
  body: NewNoticeChannel,
  bodyExample: { name: 'On call', kind: 'email', address: 'on-call@example.com' },
  headers: ['Idempotency-Key'],
  responses: {
    201: { description: 'Created.', schema: NoticeChannel, example: channel, headers: ['Location'] },
  },
  errors: ['notice_channel_limit_reached', 'idempotency_conflict'],
});

export const getNoticeChannel = operation({
  ...byId,
  operationId: 'getNoticeChannel',
  method: 'GET',
  path: '/notice-channels/{id}',
  summary: 'Read one notice channel',
  scope: 'notices:read',
  query: oneTenant,
  responses: {
    200: { description: 'The channel.', schema: NoticeChannel, example: channel, headers: ['ETag'] },
  },
});

export const updateNoticeChannel = operation({
  ...byId,
  operationId: 'updateNoticeChannel',
  method: 'PATCH',
  path: '/notice-channels/{id}',
  summary: 'Change, pause or resume a notice channel',
  description: 'The kind of a channel cannot change.',
  scope: 'notices:write',
  recentSignIn: true,
  body: NoticeChannelChange,
  bodyExample: { status: 'paused' },
  headers: ['If-Match'],
  responses: {
    200: {
      description: 'The updated channel.',
      schema: NoticeChannel,
      example: { ...channel, status: 'paused', version: 2 },
      headers: ['ETag'],
    },
  },
  errors: ['version_mismatch'],
});

export const deleteNoticeChannel = operation({
  ...byId,
  operationId: 'deleteNoticeChannel',
  method: 'DELETE',
  path: '/notice-channels/{id}',
  summary: 'Delete a notice channel',
  description: 'Also deletes its notices. A repeat is 404.',
  scope: 'notices:write',
  query: oneTenant,
  responses: { 204: { description: 'Deleted.' } },
});

export const testNoticeChannel = operation({
  ...byId,
  operationId: 'testNoticeChannel',
  method: 'POST',
  path: '/notice-channels/{id}/test',
  summary: 'Send a test notice to a channel',
  description:
    'Quiet hours do not delay it. A tenant can send at most 20 test notices in an hour; one more is 429. A paused channel is 422.',
  scope: 'notices:write',
  body: oneTenant,
  bodyOptional: true,
  bodyExample: {},
  responses: {
    202: {
      description: 'The notice waits to be sent.',
      schema: TestNotice,
      example: { notice_id: notice.notice_id, channel_id: channel.channel_id },
    },
  },
  errors: ['invalid_state_transition'],
});

export const listNotices = operation({
  operationId: 'listNotices',
  method: 'GET',
  path: '/notices',
  tag: 'notices',
  summary: 'List notices',
  description: `Newest first, each with its state. They are kept for ${NOTICE_RETENTION_DAYS} days.`,
  scope: 'notices:read',
  query: pageQuery({
    channel_id: anyOfIds('notice_channel'),
    state: anyOf(NoticeState),
    cause: anyOf(NoticeCause),
    ...createdWithin,
  }),
  responses: {
    200: {
      description: 'A page of notices.',
      schema: pageOf('NoticePage', Notice, {}),
      example: { data: [notice], has_more: false, next_cursor: null },
    },
  },
});

export const noticeOperations = [
  listNoticeChannels,
  createNoticeChannel,
  getNoticeChannel,
  updateNoticeChannel,
  deleteNoticeChannel,
  testNoticeChannel,
  listNotices,
] as const;
