import type { NoticeChannel } from '@tps/client';
import { column, DialogButton, EmptyState, type ListDefinition, ListPage } from '../../kit/index.ts';
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
    column.text({ id: 'name', header: 'Name', width: 180, grows: true, onCard: 'title' }),
    column.status({ id: 'status', header: 'Status', width: 110, onCard: 'mark' }),
    { id: 'kind', header: 'Kind', value: kindText, width: 100, onCard: 'line' },
    { id: 'destination', header: 'Destination', value: destinationText, width: 240, onCard: 'line' },
    column.severity({ id: 'min_severity', header: 'From severity', width: 120 }),
    { id: 'topics', header: 'Topics', value: topicsText, width: 180 },
    column.time({ id: 'created_at', header: 'Created', width: 120, hiddenByDefault: true }),
    column.id({ id: 'id', from: 'channel_id', header: 'ID', width: 260, hiddenByDefault: true }),
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
  return (
    <>
      <ListPage
        definition={CHANNELS}
        title="Notice channels"
        description="How people learn of incidents without looking at the console."
        actions={can('notices:write') && <DialogButton opens="new" label="New notice channel" isMain />}
      />
      {can('notices:write') && <NewChannelDialog />}
    </>
  );
}
