import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Member } from '@tps/client';
import { ROLES, type Role } from '@tps/contract/vocabulary';
import { useState } from 'react';
import {
  ConfirmDialog,
  DetailLayout,
  DialogButton,
  EndingList,
  ErrorState,
  Facts,
  History,
  IdLink,
  QueryState,
  removed,
  Section,
  TimeValue,
  toWords,
  useAct,
  useDialog,
  useDraft,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import { MemberEmail, SecondFactor } from './member-list.tsx';
import { RolePicker } from './role-picker.tsx';

export function MemberPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const client = useClient();
  const query = useQuery({
    queryKey: ['members', id],
    queryFn: ({ signal }) => client.members.get(id, { signal }),
  });
  return <QueryState query={query}>{(member) => <MemberDetail member={member} />}</QueryState>;
}

function MemberDetail({ member }: { readonly member: Member }) {
  const mayChange = useCan()('members:write');
  const isLastAdmin = useIsLastAdmin(member);
  const isShown = mayChange && isLastAdmin === false;
  return (
    <DetailLayout
      id={member.account_id}
      title={member.name}
      marks={toWords(member.role)}
      actions={
        isShown && (
          <>
            <DialogButton opens="role" label="Change role" isMain />
            <DialogButton opens="remove" label="Remove member" />
          </>
        )
      }
    >
      {isLastAdmin && (
        <Text size="sm">
          The last admin of a tenant cannot be removed and keeps the role. Make another member an admin first.
        </Text>
      )}
      <Section title="Details">
        <Facts
          items={[
            { label: 'E-mail', value: <MemberEmail member={member} /> },
            { label: 'Role', value: toWords(member.role) },
            { label: 'Second factor', value: <SecondFactor isOn={member.has_second_factor} /> },
            { label: 'Last seen', value: <TimeValue value={member.last_seen_at} absent="Unknown" /> },
            { label: 'Joined', value: <TimeValue value={member.created_at} format="full" /> },
            { label: 'Invited by', value: <IdLink id={member.created_by} /> },
          ]}
        />
      </Section>
      <History id={member.account_id} />
      <History id={member.account_id} of="actor" title="What this person did" />
      {isShown && <RoleDialog member={member} />}
      {isShown && <RemoveDialog member={member} />}
    </DetailLayout>
  );
}

/** Whether the tenant has no other admin; undefined until it is known. Disabled accounts, which the list does not show, the service checks. */
function useIsLastAdmin({ account_id: id, role }: Member): boolean | undefined {
  const client = useClient();
  const query = useQuery({
    queryKey: ['members', 'admins'],
    queryFn: ({ signal }) => client.members.list({ limit: 100, signal }).page(),
    enabled: role === 'admin',
  });
  if (role !== 'admin') return false;
  if (!query.data) return undefined;
  const { data, has_more: hasMore } = query.data;
  return !hasMore && !data.some((one) => one.role === 'admin' && one.account_id !== id);
}

function RoleDialog({ member }: { readonly member: Member }) {
  const { isOpen, close } = useDialog('role');
  const draft = useDraft<Role>(`role:${member.account_id}`, member.role);
  const update = useAct<Role, Member>({
    run: (client, role) => client.members.update(member.account_id, { role }),
    changes: [['members'], ['invitations']],
    done: 'Role changed',
    draft,
    onDone: close,
  });
  return (
    <Modal opened={isOpen} onClose={close} title="Change role">
      <Stack gap="md">
        <RolePicker value={draft.value} onChange={draft.setValue} />
        <Text size="sm">
          The change takes effect at once. It ends the access of applications that {member.name} has allowed.
          {isLess(draft.value, member.role) && ' A role with fewer scopes also ends what they own.'}
        </Text>
        {isLess(draft.value, member.role) && <EndingList root={{ owner_id: member.account_id }} />}
        {update.error && <ErrorState error={update.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            disabled={draft.value === member.role}
            loading={update.isPending}
            onClick={() => update.mutate(draft.value)}
          >
            Change role
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Roles are ordered: each has the scopes of the one before it. */
function isLess(role: Role, than: Role): boolean {
  return ROLES.indexOf(role) < ROLES.indexOf(than);
}

function RemoveDialog({ member }: { readonly member: Member }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [endsSignOn, setEndsSignOn] = useState(false);
  return (
    <ConfirmDialog
      dialog="remove"
      title="Remove member"
      name={member.email}
      act="Remove member"
      run={(client) =>
        removed(client.members.remove(member.account_id, endsSignOn ? { sign_on: 'delete' } : {}))
      }
      changes={[['invitations']]}
      done="Member removed"
      onDone={() => {
        // Not read now: this member is gone.
        queries.invalidateQueries({ queryKey: ['members'], refetchType: 'none' });
        navigate({ to: '/members' });
      }}
    >
      <Stack gap="xs">
        {member.name} loses access to this tenant at once. Devices and people who have joined stay. First
        replace tokens that programs use.
        <EndingList root={{ owner_id: member.account_id }} />
        {member.role === 'admin' && (
          <Checkbox
            label="Also delete single sign-on, if it belongs to this member"
            checked={endsSignOn}
            onChange={(event) => setEndsSignOn(event.currentTarget.checked)}
          />
        )}
      </Stack>
    </ConfirmDialog>
  );
}
