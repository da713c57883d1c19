import { Input, SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { NoticeChannel } from '@tps/client';
import { NOTICE_CHANNEL_KINDS } from '@tps/contract/vocabulary';
import { useRef, useState } from 'react';
import { CreateDialog, newSecret, SecretOnce, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { ChannelForm } from './channel-form.tsx';
import { type ChannelSettings, kindText, newSettings, toChange } from './channel-settings.ts';

/** A channel that was just created; one for a webhook has a secret. */
interface CreatedChannel {
  readonly channel: NoticeChannel;
  readonly secret: string | undefined;
}

/** Creates a channel. The secret of a webhook is shown once. */
export function NewChannelDialog() {
  const { isOpen, close } = useDialog('new');
  const navigate = useNavigate();
  const [created, setCreated] = useState<CreatedChannel>();
  const show = ({ channel }: CreatedChannel) => navigate({ to: `/notice-channels/${channel.channel_id}` });
  return (
    <CreateDialog
      isOpen={isOpen}
      onClose={close}
      title="New notice channel"
      created={
        created && (
          <SecretOnce name="Signing secret" secret={created.secret ?? ''} onStored={() => show(created)} />
        )
      }
      createdTitle="Notice channel created"
    >
      <NewChannelForm
        onCreated={(result) => (result.secret === undefined ? show(result) : setCreated(result))}
        onCancel={close}
      />
    </CreateDialog>
  );
}

function NewChannelForm({
  onCreated,
  onCancel,
}: {
  readonly onCreated: (created: CreatedChannel) => void;
  readonly onCancel: () => void;
}) {
  const [empty] = useState(newSettings);
  const draft = useDraft<ChannelSettings>('new-notice-channel', empty);
  const [url, setUrl] = useState('');
  // The same in each repeat, so that the secret that is shown is the one that the service stored.
  const lastSecret = useRef('');
  const { kind } = draft.value;
  const create = useAct<ChannelSettings, CreatedChannel>({
    run: async (client, settings, attempt) => {
      if (!attempt.isRepeat) lastSecret.current = newSecret();
      const secret = settings.kind === 'webhook' ? lastSecret.current : undefined;
      const wanted = {
        kind: settings.kind,
        ...(settings.kind === 'email' ? { address: settings.address.trim() } : { url: url.trim() }),
        ...(secret !== undefined && { secret }),
        ...toChange(settings),
      };
      return { channel: await client.noticeChannels.create(wanted, attempt), secret };
    },
    changes: [['notice-channels']],
    draft,
    onDone: onCreated,
  });
  return (
    <ChannelForm
      value={draft.value}
      onChange={draft.setValue}
      url={url}
      onUrlChange={setUrl}
      act="Create channel"
      change={create}
      onSubmit={() => create.mutate(draft.value)}
      onCancel={onCancel}
    >
      <Input.Wrapper label="Kind" labelElement="div">
        <div>
          <SegmentedControl
            size="xs"
            aria-label="Kind"
            data={NOTICE_CHANNEL_KINDS.map((one) => ({ value: one, label: kindText({ kind: one }) }))}
            value={kind}
            onChange={(next) => draft.setValue({ ...draft.value, kind: next as NoticeChannel['kind'] })}
          />
        </div>
      </Input.Wrapper>
    </ChannelForm>
  );
}
