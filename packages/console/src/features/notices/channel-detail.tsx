import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { NoticeChannel } from '@tps/client';
import {
  DetailLayout,
  DialogButton,
  detailPage,
  Facts,
  History,
  QueryState,
  Section,
  StatusBadge,
  TimeValue,
  toWords,
  useAct,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import { destinationText, kindText, quietText, topicsText } from './channel-settings.ts';
import { EditChannelDialog } from './edit-channel-dialog.tsx';
import { NoticesSection } from './notices-section.tsx';
import { RemoveChannelDialog } from './remove-channel-dialog.tsx';

/** A channel: the same on its page and beside the list. */
export function ChannelFlyout({ id }: { readonly id: string }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['notice-channels', id],
    queryFn: ({ signal }) => client.noticeChannels.get(id, { signal }),
  });
  return (
    <QueryState query={query}>
      {(channel) => <ChannelDetail key={channel.channel_id} channel={channel} />}
    </QueryState>
  );
}

export const ChannelPage = detailPage(ChannelFlyout);

function ChannelDetail({ channel }: { readonly channel: NoticeChannel }) {
  const mayChange = useCan()('notices:write');
  const { channel_id: id, name, status } = channel;
  return (
    <DetailLayout
      id={id}
      title={name}
      marks={<StatusBadge value={status} />}
      actions={mayChange && <ChannelActions channel={channel} />}
    >
      {status === 'paused' && (
        <Alert color="gray" title="Paused">
          No notices are sent, and waiting notices are dropped.
        </Alert>
      )}
      <NoticesSection channelId={id} />
      <Section title="Settings">
        <Facts items={factsOf(channel)} />
      </Section>
      <History id={id} />
      {mayChange && <EditChannelDialog channel={channel} />}
      {mayChange && <RemoveChannelDialog channel={channel} />}
    </DetailLayout>
  );
}

function ChannelActions({ channel }: { readonly channel: NoticeChannel }) {
  const { channel_id: id, status } = channel;
  const isActive = status === 'active';
  const test = useAct({
    run: (client) => client.noticeChannels.test(id),
    changes: [['notice-channels', id]],
    done: 'Test sent: its outcome is the first notice below.',
  });
  const toggle = useAct({
    run: (client) => client.noticeChannels.update(id, { status: isActive ? 'paused' : 'active' }),
    changes: [['notice-channels']],
    done: isActive ? 'Notice channel paused' : 'Notice channel resumed',
  });
  return (
    <>
      {isActive && (
        <Button size="xs" loading={test.isPending} onClick={() => test.mutate()}>
          Send test
        </Button>
      )}
      <Button size="xs" variant="default" loading={toggle.isPending} onClick={() => toggle.mutate()}>
        {isActive ? 'Pause' : 'Resume'}
      </Button>
      <DialogButton opens="edit" label="Edit" />
      <DialogButton opens="remove" label="Delete" />
    </>
  );
}

function factsOf(channel: NoticeChannel) {
  return [
    { label: 'Kind', value: kindText(channel) },
    { label: channel.kind === 'email' ? 'Address' : 'Host', value: destinationText(channel) },
    { label: 'Topics', value: toWords(topicsText(channel)) },
    { label: 'From severity', value: toWords(channel.min_severity) },
    { label: 'Messages in any hour', value: channel.max_per_hour },
    { label: 'Quiet hours', value: quietText(channel.quiet_hours) },
    { label: 'Created', value: <TimeValue value={channel.created_at} format="full" /> },
    { label: 'Updated', value: <TimeValue value={channel.updated_at} format="full" /> },
  ];
}
