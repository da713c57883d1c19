import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import type { CreatedEnrolment, NewEnrolment } from '@tps/client';
import { useState } from 'react';
import { CreateDialog, Form, SecretOnce, Snippet, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { API_URL, useSession } from '../../session/index.ts';
import { toEnrolCommand } from './enrol-command.ts';
import { EnrolmentSecrets } from './enrolment-secrets.tsx';

const EMPTY = { name: '', maxUses: 1 };
const MAX_USES = 100_000;

/** Creates an enrolment secret, and shows the command that uses it. */
export function EnrolDialog() {
  const { isOpen, close } = useDialog('enrol');
  const [created, setCreated] = useState<CreatedEnrolment>();
  const finish = () => {
    setCreated(undefined);
    close();
  };
  return (
    <CreateDialog
      isOpen={isOpen}
      onClose={close}
      title="Enrol devices"
      created={created && <CreatedSecret created={created} onStored={finish} />}
      createdTitle="Enrolment secret created"
    >
      <Stack gap="lg">
        <EnrolForm onCreated={setCreated} />
        <EnrolmentSecrets />
      </Stack>
    </CreateDialog>
  );
}

function EnrolForm({ onCreated }: { readonly onCreated: (created: CreatedEnrolment) => void }) {
  const draft = useDraft('new-enrolment', EMPTY);
  const { value, setValue } = draft;
  const create = useAct<NewEnrolment, CreatedEnrolment>({
    run: (client, enrolment, attempt) => client.enrolments.create(enrolment, attempt),
    changes: [['enrolments']],
    draft,
    onDone: onCreated,
  });
  const name = value.name.trim();
  return (
    <Form
      act="Create secret"
      isReady={name !== ''}
      change={create}
      onSubmit={() => create.mutate({ name, max_uses: value.maxUses })}
    >
      <Text size="sm">
        A device registers once with an enrolment secret. It then has its own key and credential. The secret
        can do nothing else and ends after 7 days.
      </Text>
      <Group align="flex-end" grow>
        <TextInput
          data-autofocus
          label="Name of the secret"
          placeholder="Phones of the sales team"
          maxLength={100}
          autoComplete="off"
          value={value.name}
          onChange={(event) => setValue({ ...value, name: event.currentTarget.value })}
        />
        <NumberInput
          label="Devices"
          min={1}
          max={MAX_USES}
          clampBehavior="strict"
          allowDecimal={false}
          value={value.maxUses}
          onChange={(count) => setValue({ ...value, maxUses: Number(count) || 1 })}
        />
      </Group>
    </Form>
  );
}

/** A secret that was just made. If the answer was lost, the service does not repeat it. */
function CreatedSecret({ created, onStored }: { created: CreatedEnrolment; onStored: () => void }) {
  const { tenant } = useSession();
  const { secret } = created;
  if (secret === undefined) {
    return (
      <Stack align="flex-start">
        The secret was created, but the response was lost, and it cannot be shown again. Revoke it and create
        another.
        <Button onClick={onStored}>Close</Button>
      </Stack>
    );
  }
  const device = { url: API_URL, tenantId: tenant.id, secret };
  return (
    <Stack gap="md">
      <SecretOnce name={`Secret ${created.name}`} secret={secret} onStored={onStored} />
      <Text size="sm">On the device, or here for a trial: it enrols and sends its first event.</Text>
      <Snippet label="Command that enrols a device" code={toEnrolCommand(device)} />
      <Text size="sm">A fleet of simulated devices, after tps login:</Text>
      <Snippet
        label="Command that simulates devices"
        code={`tps agent simulate --url ${API_URL} --devices 5 --rate 2 --duration 5m`}
      />
    </Stack>
  );
}
