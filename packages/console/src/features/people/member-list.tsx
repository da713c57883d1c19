import type { Member } from '@tps/client';
import {
  column,
  DialogButton,
  EmptyState,
  type ListDefinition,
  ListPage,
  StatusBadge,
} from '../../kit/index.ts';
import { useCan, useSession } from '../../session/index.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { PendingInvitations } from './pending-invitations.tsx';

const MEMBERS: ListDefinition<Member> = {
  noun: { one: 'member', many: 'members' },
  queryKey: 'members',
  read: (client, _query, page) => client.members.list(page).page(),
  idOf: ({ account_id }) => account_id,
  titleOf: ({ name }) => name,
  columns: [
    {
      id: 'name',
      header: 'Name',
      value: (member) => member.name,
      cell: (member) => <MemberName member={member} />,
      width: 180,
      grows: true,
      onCard: 'title',
    },
    {
      id: 'email',
      header: 'E-mail',
      value: (member) => member.email,
      cell: (member) => <MemberEmail member={member} />,
      width: 240,
      onCard: 'line',
    },
    column.words({ id: 'role', header: 'Role', width: 96, onCard: 'mark' }),
    {
      id: 'second_factor',
      header: 'Second factor',
      value: ({ has_second_factor }) => (has_second_factor ? 'yes' : 'no'),
      cell: ({ has_second_factor }) => <SecondFactor isOn={has_second_factor} />,
      width: 128,
    },
    column.time({ id: 'last_seen_at', header: 'Last seen', absent: 'Unknown', width: 112, onCard: 'line' }),
    column.time({ id: 'created_at', header: 'Joined', width: 112 }),
    column.id({ id: 'id', from: 'account_id', header: 'Account', width: 260, hiddenByDefault: true }),
  ],
  filters: [],
  empty: <EmptyState title="No members yet">Invite the people who work with this tenant.</EmptyState>,
};

function MemberName({ member }: { readonly member: Member }) {
  const { account } = useSession();
  return (
    <>
      <bdi>{member.name}</bdi>
      {member.account_id === account.id && ' (you)'}
    </>
  );
}

/** The address, with a mark if it is not verified: someone else may have created the account with it. */
export function MemberEmail({ member: { email, email_verified: isVerified } }: { readonly member: Member }) {
  return (
    <>
      <bdi>{email}</bdi>
      {!isVerified && ' (not verified)'}
    </>
  );
}

/** An account without a second factor can be taken over with its password alone. */
export function SecondFactor({ isOn }: { readonly isOn: boolean }) {
  return isOn ? <StatusBadge value="on" tone="good" /> : <StatusBadge value="none" tone="warning" />;
}

export function MembersPage() {
  const mayChange = useCan()('members:write');
  return (
    <>
      <ListPage
        definition={MEMBERS}
        title="Members"
        description="People who have access to this tenant, and what each may do."
        actions={mayChange && <DialogButton opens="invite" label="Invite" isMain />}
        banner={<PendingInvitations />}
      />
      {mayChange && <InviteDialog />}
    </>
  );
}
