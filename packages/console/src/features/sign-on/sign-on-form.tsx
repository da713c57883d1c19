import { Button, Group, PasswordInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { SignOn } from '@tps/client';
import { ROLES, type Role } from '@tps/contract/vocabulary';
import { type FormEvent, useState } from 'react';
import { ErrorState, toWords, useAct, useDraft } from '../../kit/index.ts';
import { RoleMapFields } from './role-map-fields.tsx';
import { EMPTY_SIGN_ON, type SignOnDraft, toDraft, toSettings } from './sign-on-draft.ts';

const NO_ROLE = { value: '', label: 'None: they cannot sign in' };
const ROLE_CHOICES = [...ROLES.map((value) => ({ value: value as string, label: toWords(value) })), NO_ROLE];

interface SignOnFormProps {
  /** The present settings; undefined for the first ones. */
  readonly present: SignOn | undefined;
  readonly onDone: () => void;
  readonly onCancel?: () => void;
}

/** The provider of the tenant. The service contacts it before it saves anything. */
export function SignOnForm({ present, onDone, onCancel }: SignOnFormProps) {
  const draft = useDraft<SignOnDraft>('sign-on', present ? toDraft(present) : EMPTY_SIGN_ON);
  const [secret, setSecret] = useState('');
  // A draft of an earlier version of the page lacks members.
  const value = { ...EMPTY_SIGN_ON, ...draft.value };
  const set = (change: Partial<SignOnDraft>) => draft.setValue({ ...value, ...change });
  const save = useAct<void, SignOn>({
    run: (client) => client.signOn.replace(toSettings(value, secret)),
    changes: [['sign-on']],
    done: 'Sign-on saved',
    draft,
    onDone,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const isComplete = [value.issuer, value.clientId, value.domains].every((text) => text.trim() !== '');
  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={560}>
        <ProviderFields value={value} set={set} />
        <PasswordInput
          size="xs"
          label="Client secret"
          description={
            present?.has_secret
              ? 'Leave it empty to keep the present one.'
              : 'Stored encrypted, and never shown. A reload of the page clears it.'
          }
          autoComplete="off"
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
        <PeopleFields value={value} set={set} />
        {save.error && <ErrorState error={save.error} />}
        <Group gap="xs">
          <Button type="submit" disabled={!isComplete} loading={save.isPending}>
            {present ? 'Save' : 'Set up single sign-on'}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface FieldsProps {
  readonly value: SignOnDraft;
  readonly set: (change: Partial<SignOnDraft>) => void;
}

function ProviderFields({ value, set }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Issuer"
        description="The address under which the provider publishes its OpenID configuration."
        placeholder="https://login.example.com"
        type="url"
        value={value.issuer}
        onChange={(event) => set({ issuer: event.currentTarget.value })}
      />
      <TextInput
        label="Client ID"
        description="What the provider calls this service."
        autoComplete="off"
        value={value.clientId}
        onChange={(event) => set({ clientId: event.currentTarget.value })}
      />
    </>
  );
}

function PeopleFields({ value, set }: FieldsProps) {
  return (
    <>
      <Textarea
        label="Mail domains"
        description="Only people with a verified address in one of them can sign in. A subdomain is another domain."
        placeholder="example.com"
        autosize
        minRows={1}
        maxRows={6}
        value={value.domains}
        onChange={(event) => set({ domains: event.currentTarget.value })}
      />
      <Switch
        size="xs"
        label="Addresses of this provider count as verified"
        description="For providers that do not state whether an address is verified, such as Entra ID. Turn it on only if people cannot choose their address there: a person with the address of a colleague gets the colleague's account in this tenant."
        checked={value.trustEmail}
        onChange={(event) => set({ trustEmail: event.currentTarget.checked })}
      />
      <Switch
        size="xs"
        label="People who sign in at the provider become members"
        description="Otherwise they need an invitation first."
        checked={value.createMembers}
        onChange={(event) => set({ createMembers: event.currentTarget.checked })}
      />
      <TextInput
        label="Claim that decides the role"
        description="Optional, such as groups, or /realm_access/roles for a claim within another one. Without it, everyone has the role below."
        autoComplete="off"
        value={value.roleClaim}
        onChange={(event) => set({ roleClaim: event.currentTarget.value })}
      />
      <TextInput
        label="Additional scopes"
        description="Optional. Some providers send the claim only with a scope, such as groups at Okta."
        autoComplete="off"
        value={value.extraScopes}
        onChange={(event) => set({ extraScopes: event.currentTarget.value })}
      />
      {value.roleClaim.trim() !== '' && (
        <RoleMapFields rows={value.roleMap} onChange={(roleMap) => set({ roleMap })} />
      )}
      <Select
        label={value.roleClaim.trim() === '' ? 'Role' : 'Role without a matching value'}
        allowDeselect={false}
        data={ROLE_CHOICES}
        value={value.defaultRole}
        onChange={(role) => set({ defaultRole: (role ?? '') as Role | '' })}
      />
      <Switch
        size="xs"
        label="People must sign in at the provider"
        description="People who belong only to this tenant can no longer sign in with a password or passkey. Admins still can, so that an outage of the provider does not lock everyone out."
        checked={value.required}
        onChange={(event) => set({ required: event.currentTarget.checked })}
      />
    </>
  );
}
