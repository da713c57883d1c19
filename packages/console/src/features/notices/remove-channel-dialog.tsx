import { useNavigate } from '@tanstack/react-router';
import type { NoticeChannel } from '@tps/client';
import { ConfirmDialog, removed } from '../../kit/index.ts';

/** Deletes a channel with its notices. */
export function RemoveChannelDialog({ channel }: { readonly channel: NoticeChannel }) {
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      dialog="remove"
      title="Delete notice channel"
      name={channel.name}
      act="Delete channel"
      run={(client) => removed(client.noticeChannels.remove(channel.channel_id))}
      changes={[['notice-channels']]}
      done="Notice channel deleted"
      onDone={() => navigate({ to: '/notice-channels' })}
    >
      This channel receives no more notices. Its notices are deleted too, and this cannot be undone. To stop
      for a while, pause it.
    </ConfirmDialog>
  );
}
