import { Checkbox, Group, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { MAX_NOTICES_PER_HOUR, NOTICE_TOPICS, SEVERITIES } from '@tps/contract/vocabulary';
import type { ReactNode } from 'react';
import { choicesOf, Form, type FormProps, toWords } from '../../kit/index.ts';
import { type ChannelSettings, isComplete } from './channel-settings.ts';
import { QuietHoursFields } from './quiet-hours-fields.tsx';

interface ChannelFormProps extends Omit<FormProps, 'children' | 'isReady'> {
  readonly value: ChannelSettings;
  readonly onChange: (value: ChannelSettings) => void;
  /** Undefined if the URL is not changed. */
  readonly url: string | undefined;
  readonly onUrlChange: (url: string) => void;
  /** Above the other fields: the choice of the kind. */
  readonly children?: ReactNode;
}

/** The settings of a channel. */
export function ChannelForm({ value, onChange, url, onUrlChange, children, ...form }: ChannelFormProps) {
  const set = (change: Partial<ChannelSettings>) => onChange({ ...value, ...change });
  return (
    <Form {...form} isReady={isComplete(value, url)}>
      {children}
      <TextInput
        data-autofocus
        label="Name"
        maxLength={100}
        autoComplete="off"
        value={value.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Destination value={value} onChange={onChange} url={url} onUrlChange={onUrlChange} />
      <Checkbox.Group label="Topics" value={[...value.topics]} onChange={(topics) => set({ topics })}>
        <Stack gap="xs" mt="xs">
          {NOTICE_TOPICS.map((topic) => (
            <Checkbox key={topic} size="xs" value={topic} label={TOPICS[topic]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group grow align="flex-start">
        <Select
          label="From severity"
          description="A degraded status counts as high."
          allowDeselect={false}
          data={choicesOf(SEVERITIES)}
          value={value.minSeverity}
          onChange={(severity) => set({ minSeverity: severity as ChannelSettings['minSeverity'] })}
        />
        <NumberInput
          label="Messages in any hour"
          description="Further notices arrive in one digest."
          min={1}
          max={MAX_NOTICES_PER_HOUR}
          allowDecimal={false}
          value={value.maxPerHour}
          onChange={(most) => set({ maxPerHour: Number(most) })}
        />
      </Group>
      <Switch
        label="Quiet hours"
        description="Notices wait until the end, and arrive as one digest."
        checked={value.isQuiet}
        onChange={(event) => set({ isQuiet: event.currentTarget.checked })}
      />
      {value.isQuiet && <QuietHoursFields value={value.quiet} onChange={(quiet) => set({ quiet })} />}
    </Form>
  );
}

const TOPICS: Readonly<Record<(typeof NOTICE_TOPICS)[number], string>> = {
  incidents: `${toWords('incidents')}: opened and resolved`,
  protection: `${toWords('protection')}: the status becomes degraded or unprotected, and recovers`,
};

function Destination(props: Pick<ChannelFormProps, 'value' | 'onChange' | 'url' | 'onUrlChange'>) {
  const { value, onChange, url, onUrlChange } = props;
  if (value.kind === 'email') {
    return (
      <TextInput
        label="Address"
        description="One address. Use a mailing list for several people."
        type="email"
        maxLength={254}
        autoComplete="off"
        value={value.address}
        onChange={(event) => onChange({ ...value, address: event.currentTarget.value })}
      />
    );
  }
  return (
    <TextInput
      label="URL"
      description={
        value.kind === 'slack'
          ? 'The URL of an incoming webhook of Slack or Mattermost. It is not shown again.'
          : 'Receives each notice as a signed POST request. It must be https. It is not shown again.'
      }
      type="url"
      placeholder={url === undefined ? 'Unchanged' : 'https://'}
      maxLength={2048}
      autoComplete="off"
      value={url ?? ''}
      onChange={(event) => onUrlChange(event.currentTarget.value)}
    />
  );
}
