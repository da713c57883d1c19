import { Checkbox, Group, Switch, TextInput } from '@mantine/core';
import { SEVERITIES } from '@tps/contract/vocabulary';
import { Form, type FormProps, toWords } from '../../kit/index.ts';

/** What people decide about a webhook. */
export interface WebhookSettings {
  readonly url: string;
  readonly severities: readonly string[];
  readonly autoReplay: boolean;
}

export const NEW_SETTINGS: WebhookSettings = { url: '', severities: [...SEVERITIES], autoReplay: true };

interface WebhookFormProps extends Omit<FormProps, 'children' | 'isReady'> {
  readonly value: WebhookSettings;
  readonly onChange: (value: WebhookSettings) => void;
}

/** The settings of a webhook. */
export function WebhookForm({ value, onChange, ...form }: WebhookFormProps) {
  const { url, severities, autoReplay } = value;
  return (
    <Form {...form} isReady={url.trim() !== '' && severities.length > 0}>
      <TextInput
        data-autofocus
        label="URL"
        description="Receives each event as a POST request. It must be https, and reachable from the service."
        type="url"
        placeholder="https://siem.example.com/tps"
        maxLength={2048}
        autoComplete="off"
        value={url}
        onChange={(event) => onChange({ ...value, url: event.currentTarget.value })}
      />
      <Checkbox.Group
        label="Severities"
        description="Events that were only allowed are never sent."
        value={[...severities]}
        onChange={(chosen) => onChange({ ...value, severities: chosen })}
      >
        <Group gap="md" mt="xs">
          {[...SEVERITIES].reverse().map((severity) => (
            <Checkbox key={severity} value={severity} label={toWords(severity)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Switch
        label="Automatic replay"
        description="When the receiver responds again, the service replays the deliveries that failed in the meantime."
        checked={autoReplay}
        onChange={(event) => onChange({ ...value, autoReplay: event.currentTarget.checked })}
      />
    </Form>
  );
}

/** The severities as the API has them: null is all of them. */
export function toSeverityFilter(severities: readonly string[]) {
  const chosen = SEVERITIES.filter((severity) => severities.includes(severity));
  return chosen.length === SEVERITIES.length ? null : [...chosen];
}
