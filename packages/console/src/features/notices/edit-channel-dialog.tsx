import { Modal } from '@mantine/core';
import type { NoticeChannel } from '@tps/client';
import { useState } from 'react';
import { useAct, useDialog, useDraft } from '../../kit/index.ts';
import { ChannelForm } from './channel-form.tsx';
import { type ChannelSettings, settingsOf, toChange } from './channel-settings.ts';

/** Changes what a channel reports, when, and where. */
export function EditChannelDialog({ channel }: { readonly channel: NoticeChannel }) {
  const { isOpen, close } = useDialog('edit');
  return (
    <Modal opened={isOpen} onClose={close} size="lg" title="Edit notice channel">
      <EditForm key={channel.version} channel={channel} close={close} />
    </Modal>
  );
}

function EditForm({ channel, close }: { readonly channel: NoticeChannel; readonly close: () => void }) {
  const { channel_id: id, version } = channel;
  const [before] = useState(() => settingsOf(channel));
  // A draft belongs to one version. Saving writes all settings, so an older draft would undo later changes.
  const draft = useDraft<ChannelSettings>(`notice-channel:${id}:${version}`, before);
  const [url, setUrl] = useState<string>();
  const save = useAct<ChannelSettings, NoticeChannel>({
    run: (client, settings) => {
      const change = {
        ...toChange(settings),
        ...(settings.kind === 'email' && { address: settings.address.trim() }),
        ...(url !== undefined && { url: url.trim() }),
      };
      return client.noticeChannels.update(id, change);
    },
    changes: [['notice-channels']],
    done: 'Notice channel changed',
    draft,
    onDone: close,
  });
  return (
    <ChannelForm
      value={draft.value}
      onChange={draft.setValue}
      url={url}
      onUrlChange={(next) => setUrl(next === '' ? undefined : next)}
      act="Save"
      change={save}
      onSubmit={() => save.mutate(draft.value)}
      onCancel={() => {
        draft.clear();
        close();
      }}
    />
  );
}
