import { Button, Select, Stack, Text, TextInput } from '@mantine/core';
import type { CreatedInvitation, NewInvitation } from '@tps/client';
import type { Role } from '@tps/contract/vocabulary';
import { useState } from 'react';
import { CreateDialog, Form, SecretOnce, useAct, useDialog, useDraft } from '../../kit/index.ts';
import { RolePicker } from './role-picker.tsx';

const EMPTY = { email: '', role: 'viewer' as Role, expiresIn: '604800' };
const LIFETIMES = [
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
];

/** Invites a person, and shows the link once where the service has not sent it. */
export function InviteDialog() {
  const { isOpen, close } = useDialog('invite');
  const [created, setCreated] = useState<CreatedInvitation>();
  const finish = () => {
    setCreated(undefined);
    close();
  };
  return (
    <CreateDialog
      isOpen={isOpen}
      onClose={close}
      title="Invite a person"
      created={created && <CreatedLink created={created} onStored={finish} />}
      createdTitle="Invitation created"
    >
      <InviteForm onCreated={setCreated} onCancel={close} />
    </CreateDialog>
  );
}

function InviteForm({
  onCreated,
  onCancel,
}: {
  readonly onCreated: (created: CreatedInvitation) => void;
  readonly onCancel: () => void;
}) {
  const draft = useDraft('invitation', EMPTY);
  const { value, setValue } = draft;
  const set = (change: Partial<typeof EMPTY>) => setValue({ ...value, ...change });
  const invite = useAct<NewInvitation, CreatedInvitation>({
    run: (client, invitation, attempt) => client.invitations.create(invitation, attempt),
    changes: [['invitations']],
    draft,
    onDone: onCreated,
  });
  const submit = () => {
    const email = value.email.trim();
    const expiresInS = Number(value.expiresIn);
    invite.mutate({ role: value.role, expires_in_s: expiresInS, ...(email !== '' && { email }) });
  };
  return (
    <Form act="Create invitation" change={invite} onSubmit={submit} onCancel={onCancel}>
      <TextInput
        data-autofocus
        type="email"
        label="E-mail address"
        description="Only an account with this address can accept. Without it, the first person who opens the link joins."
        maxLength={254}
        autoComplete="off"
        value={value.email}
        onChange={(event) => set({ email: event.currentTarget.value })}
      />
      <RolePicker value={value.role} onChange={(role) => set({ role })} />
      <Select
        label="The link works for"
        allowDeselect={false}
        data={LIFETIMES}
        value={value.expiresIn}
        onChange={(expiresIn) => set({ expiresIn: expiresIn ?? EMPTY.expiresIn })}
      />
    </Form>
  );
}

const MAIL_WORDS = {
  sent: 'The service has sent the link by mail. You do not need to do anything.',
  failed: 'The mail server did not take the mail. Send the link yourself.',
  limited: 'Too many invitations were mailed to this address, or by this tenant. Send the link yourself.',
  none: 'The service sends no mail. Send the link yourself, to this person only.',
} as const;

function CreatedLink({
  created,
  onStored,
}: {
  readonly created: CreatedInvitation;
  readonly onStored: () => void;
}) {
  const { link, mail } = created;
  return (
    <Stack gap="md">
      {mail !== undefined && <Text size="sm">{MAIL_WORDS[mail]}</Text>}
      {link === undefined ? (
        <Stack align="flex-start" gap="sm">
          <Text size="sm">
            The invitation was created, but the response was lost, and the link cannot be shown again. Revoke
            it and create another.
          </Text>
          <Button onClick={onStored}>Close</Button>
        </Stack>
      ) : (
        <SecretOnce name="Invitation link" secret={link} onStored={onStored} />
      )}
    </Stack>
  );
}
