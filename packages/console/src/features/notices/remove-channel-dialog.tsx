import { useNavigate } from '@tanstack/react-router';
import type { NoticeChannel } from '@tps/client';
import { ConfirmByName, removed, useAct, useDialog } from '../../kit/index.ts';

/** Deletes a channel with its notices. */
export function RemoveChannelDialog({ channel }: { readonly channel: NoticeChannel }) {
  const { isOpen, close } = useDialog('remove');
  const navigate = useNavigate();
  const remove = useAct({
    run: (client) => removed(client.noticeChannels.remove(channel.channel_id)),
    changes: [['notice-channels']],
    done: 'Notice channel deleted',
    onDone: () => navigate({ to: '/notice-channels' }),
    showsError: true,
  });
  return (
    <ConfirmByName
      opened={isOpen}
      title="Delete notice channel"
      name={channel.name}
      act="Delete channel"
      change={remove}
      onConfirm={() => remove.mutate()}
      onClose={close}
    >
      This channel receives no more notices. Its notices are deleted too, and this cannot be undone. To stop
      for a while, pause it.
    </ConfirmByName>
  );
}
