import { Modal } from '@mantine/core';
import type { Webhook } from '@tps/client';
import { SEVERITIES } from '@tps/contract/vocabulary';
import { useAct, useDialog, useDraft } from '../../kit/index.ts';
import { toSeverityFilter, WebhookForm, type WebhookSettings } from './webhook-form.tsx';

/** Changes where a webhook sends what. */
export function EditWebhookDialog({ webhook }: { readonly webhook: Webhook }) {
  const { isOpen, close } = useDialog('edit');
  return (
    <Modal opened={isOpen} onClose={close} size="lg" title="Edit webhook">
      <EditForm key={webhook.updated_at} webhook={webhook} close={close} />
    </Modal>
  );
}

function EditForm({ webhook, close }: { readonly webhook: Webhook; readonly close: () => void }) {
  const { webhook_id: id, url, severity_filter: filter, auto_replay: autoReplay } = webhook;
  const draft = useDraft<WebhookSettings>(`webhook:${id}`, {
    url,
    severities: filter ?? [...SEVERITIES],
    autoReplay,
  });
  const save = useAct<WebhookSettings, Webhook>({
    run: (client, settings) =>
      client.webhooks.update(id, {
        url: settings.url.trim(),
        severity_filter: toSeverityFilter(settings.severities),
        auto_replay: settings.autoReplay,
      }),
    changes: [['webhooks']],
    done: 'Webhook changed',
    draft,
    onDone: close,
  });
  return (
    <WebhookForm
      value={draft.value}
      onChange={draft.setValue}
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
