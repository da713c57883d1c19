import { Button } from '@mantine/core';
import type { NoticeChannel } from '@tps/client';
import {
  EmptyState,
  IdLink,
  type ListDefinition,
  ListPage,
  Severity,
  StatusBadge,
  TimeValue,
  useDialog,
} from '../../kit/index.ts';
import { useCan } from '../../session/index.ts';
import { ChannelFlyout } from './channel-detail.tsx';
import { destinationText, kindText, topicsText } from './channel-settings.ts';
import { NewChannelDialog } from './new-channel-dialog.tsx';

const CHANNELS: ListDefinition<NoticeChannel> = {
  noun: { one: 'notice channel', many: 'notice channels' },
  queryKey: 'notice-channels',
  read: (client, query, page) => client.noticeChannels.list({ ...query, ...page }).page(),
  idOf: ({ channel_id }) => channel_id,
  titleOf: ({ name }) => name,
  columns: [
    {
      id: 'name',
      header: 'Name',
      value: (channel) => channel.name,
      width: 180,
      grows: true,
      onCard: 'title',
    },
    {
      id: 'status',
      header: 'Status',
      value: (channel) => channel.status,
      cell: (channel) => <StatusBadge value={channel.status} />,
      width: 110,
      onCard: 'mark',
    },
    { id: 'kind', header: 'Kind', value: kindText, width: 100, onCard: 'line' },
    { id: 'destination', header: 'Destination', value: destinationText, width: 240, onCard: 'line' },
    {
      id: 'min_severity',
      header: 'From severity',
      value: (channel) => channel.min_severity,
      cell: (channel) => <Severity value={channel.min_severity} />,
      width: 120,
    },
    { id: 'topics', header: 'Topics', value: topicsText, width: 180 },
    {
      id: 'created_at',
      header: 'Created',
      value: (channel) => channel.created_at,
      cell: (channel) => <TimeValue value={channel.created_at} />,
      width: 120,
      hiddenByDefault: true,
    },
    {
      id: 'id',
      header: 'ID',
      value: (channel) => channel.channel_id,
      cell: (channel) => <IdLink id={channel.channel_id} />,
      width: 260,
      hiddenByDefault: true,
    },
  ],
  filters: [],
  detail: (id) => <ChannelFlyout id={id} />,
  empty: (
    <EmptyState title="No notice channels yet">
      A channel notifies people of incidents and of a degraded status, by mail, in Slack or by a webhook.
      Create one, then send a test.
    </EmptyState>
  ),
};

export function ChannelsPage() {
  const can = useCan();
  const { open } = useDialog('new');
  return (
    <>
      <ListPage
        definition={CHANNELS}
        title="Notice channels"
        description="How people learn of incidents without looking at the console."
        actions={can('notices:write') && <Button onClick={open}>New notice channel</Button>}
      />
      {can('notices:write') && <NewChannelDialog />}
    </>
  );
}
