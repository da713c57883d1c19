import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { NotFoundError, type SignOn } from '@tps/client';
import {
  ConfirmByName,
  DialogButton,
  EmptyState,
  Facts,
  PageLayout,
  QueryState,
  removed,
  Section,
  Snippet,
  TimeValue,
  toWords,
  useAct,
  useDialog,
} from '../../kit/index.ts';
import { API_URL, useCan, useClient } from '../../session/index.ts';
import { SignOnForm } from './sign-on-form.tsx';

/** The answer of the service where no provider is set. */
type SignOnState = { readonly signOn: SignOn | null };

export function SignOnPage() {
  const client = useClient();
  const query = useQuery<SignOnState>({
    queryKey: ['sign-on'],
    queryFn: async ({ signal }) => {
      try {
        return { signOn: await client.signOn.get({ signal }) };
      } catch (error) {
        if (error instanceof NotFoundError) return { signOn: null };
        throw error;
      }
    },
  });
  return (
    <PageLayout
      title="Sign-on"
      description="People sign in to this tenant at your own OpenID provider, such as Entra ID, Okta or Keycloak."
    >
      <QueryState query={query}>
        {({ signOn }) => (signOn ? <Present signOn={signOn} /> : <Absent />)}
      </QueryState>
    </PageLayout>
  );
}

function Absent() {
  const { isOpen, open, close } = useDialog('edit');
  if (!useCan()('members:write')) return <EmptyState title="Single sign-on is not set up." />;
  if (!isOpen) {
    return (
      <EmptyState title="Single sign-on is not set up.">
        <Text size="sm">
          People sign in with a password or a passkey. With a provider, it decides who may sign in.
        </Text>
        <Button onClick={open}>Set up single sign-on</Button>
      </EmptyState>
    );
  }
  return (
    <Stack gap="md">
      <RedirectUri uri={`${API_URL}/auth/sign-on/callback`} />
      <Section title="Provider">
        <SignOnForm present={undefined} onDone={close} onCancel={close} />
      </Section>
    </Stack>
  );
}

function Present({ signOn }: { readonly signOn: SignOn }) {
  const edit = useDialog('edit');
  if (edit.isOpen) {
    return (
      <Section title="Provider">
        <SignOnForm present={signOn} onDone={edit.close} onCancel={edit.close} />
      </Section>
    );
  }
  return (
    <Stack gap="md">
      <Section title="Provider" actions={<SignOnActions />}>
        <SignOnFacts signOn={signOn} />
      </Section>
      <Section title="Try it">
        <Text size="sm" mb="xs">
          Open this page in a private window and sign in. Your own session stays as it is. It is also the
          address to give to your people.
        </Text>
        <Snippet code={signOn.sign_on_url} label="Page where people of the tenant sign in" />
      </Section>
      <RedirectUri uri={signOn.redirect_uri} />
      <RemoveDialog signOn={signOn} />
    </Stack>
  );
}

function SignOnActions() {
  const mayChange = useCan()('members:write');
  if (!mayChange) return null;
  return (
    <Button.Group>
      <DialogButton opens="edit" label="Edit" />
      <DialogButton opens="remove" label="Remove" />
    </Button.Group>
  );
}

function SignOnFacts({ signOn }: { readonly signOn: SignOn }) {
  const { role_map: roleMap, default_role: defaultRole } = signOn;
  return (
    <Facts
      items={[
        { label: 'Issuer', value: signOn.issuer },
        { label: 'Client ID', value: signOn.client_id },
        {
          label: 'Client secret',
          value: signOn.has_secret ? 'Stored' : 'None, or it cannot be read: enter it again',
        },
        { label: 'Mail domains', value: signOn.allowed_domains.join(', ') },
        {
          label: 'Addresses',
          value: signOn.trust_email ? 'Count as verified' : 'Must be verified by the provider',
        },
        { label: 'New people', value: signOn.create_members ? 'Become members' : 'Need an invitation' },
        { label: 'Role claim', value: signOn.role_claim },
        {
          label: 'Additional scopes',
          value: signOn.extra_scopes.length > 0 && signOn.extra_scopes.join(', '),
        },
        {
          label: 'Roles by value',
          value:
            roleMap.length > 0 &&
            roleMap.map(({ value, role }) => (
              <div key={`${value} ${role}`}>{`${value}: ${toWords(role)}`}</div>
            )),
        },
        {
          label: signOn.role_claim === null ? 'Role' : 'Role without a matching value',
          value: defaultRole === null ? 'Cannot sign in' : toWords(defaultRole),
        },
        {
          label: 'Passwords and passkeys',
          value: signOn.required ? 'Rejected, except for admins and people of other tenants' : 'Still work',
        },
        { label: 'Updated', value: <TimeValue value={signOn.updated_at} format="full" /> },
      ].filter(({ value }) => value !== false)}
    />
  );
}

function RedirectUri({ uri }: { readonly uri: string }) {
  return (
    <Section title="Register at the provider">
      <Text size="sm" mb="xs">
        Register this service as a web application with this redirect URI.
      </Text>
      <Snippet code={uri} label="Redirect URI" />
    </Section>
  );
}

function RemoveDialog({ signOn }: { readonly signOn: SignOn }) {
  const { isOpen, close } = useDialog('remove');
  const queries = useQueryClient();
  const remove = useAct({
    run: (client) => removed(client.signOn.remove()),
    changes: [],
    done: 'Single sign-on removed',
    onDone: () => {
      queries.setQueryData<SignOnState>(['sign-on'], { signOn: null });
      close();
    },
    showsError: true,
  });
  return (
    <ConfirmByName
      opened={isOpen}
      title="Remove single sign-on"
      name={signOn.issuer}
      act="Remove single sign-on"
      change={remove}
      onConfirm={() => remove.mutate()}
      onClose={close}
    >
      Sessions that began at the provider end at once. People stay members, and need a password or passkey to
      sign in.
    </ConfirmByName>
  );
}
