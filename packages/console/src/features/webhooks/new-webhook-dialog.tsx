import { Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@tps/client';
import { useRef, useState } from 'react';
import {
  CreateDialog,
  newSecret,
  SecretOnce,
  Snippet,
  useAct,
  useDialog,
  useDraft,
} from '../../kit/index.ts';
import { NEW_SETTINGS, toSeverityFilter, WebhookForm, type WebhookSettings } from './webhook-form.tsx';

/** A webhook that was just created, with its secret. */
interface CreatedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** Creates a webhook, and shows its signing secret once. */
export function NewWebhookDialog() {
  const { isOpen, close } = useDialog('new');
  const navigate = useNavigate();
  const draft = useDraft<WebhookSettings>('new-webhook', NEW_SETTINGS);
  const [created, setCreated] = useState<CreatedWebhook>();
  // The same in each repeat: the one that is shown is the one that the service has.
  const lastSecret = useRef('');
  const create = useAct<WebhookSettings, CreatedWebhook>({
    run: async (client, { url, severities, autoReplay }, attempt) => {
      if (!attempt.isRepeat) lastSecret.current = newSecret();
      const secret = lastSecret.current;
      const filter = toSeverityFilter(severities);
      const wanted = {
        url: url.trim(),
        secret,
        auto_replay: autoReplay,
        ...(filter !== null && { severity_filter: filter }),
      };
      return { webhook: await client.webhooks.create(wanted, attempt), secret };
    },
    changes: [['webhooks']],
    draft,
    onDone: setCreated,
  });
  const show = ({ webhook }: CreatedWebhook) => navigate({ to: `/webhooks/${webhook.webhook_id}` });
  return (
    <CreateDialog
      isOpen={isOpen}
      onClose={close}
      title="New webhook"
      created={created && <CreatedSecret secret={created.secret} onStored={() => show(created)} />}
      createdTitle="Webhook created"
    >
      <WebhookForm
        value={draft.value}
        onChange={draft.setValue}
        act="Create webhook"
        change={create}
        onSubmit={() => create.mutate(draft.value)}
        onCancel={close}
      />
    </CreateDialog>
  );
}

const RECEIVER = `import { verifyWebhook } from '@tps/client';

const secrets = [process.env.WEBHOOK_SECRET];
const { event, eventId } = await verifyWebhook({ headers, rawBody, secrets });`;

/** A signing secret, and what a receiver does with it. */
export function CreatedSecret({
  secret,
  onStored,
}: {
  readonly secret: string;
  readonly onStored: () => void;
}) {
  return (
    <Stack gap="md">
      <SecretOnce name="Signing secret" secret={secret} onStored={onStored} />
      <Snippet label="Verifying a delivery in the receiver" code={RECEIVER} />
    </Stack>
  );
}
