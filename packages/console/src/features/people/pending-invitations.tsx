import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Invitation } from '@tps/client';
import { removed, Section, TimeValue, toWords, useAct } from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import classes from './pending-invitations.module.css';

/** The invitations that can still be accepted: each is a way into the tenant. */
export function PendingInvitations() {
  const client = useClient();
  const query = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => client.invitations.list({ limit: 100, signal }).page(),
  });
  const pending = query.data?.data.filter(({ status }) => status === 'pending') ?? [];
  if (pending.length === 0) return null;
  return (
    <Section title="Pending invitations">
      <ul className={classes.list}>
        {pending.map((invitation) => (
          <PendingInvitation key={invitation.invitation_id} invitation={invitation} />
        ))}
      </ul>
    </Section>
  );
}

function PendingInvitation({ invitation }: { readonly invitation: Invitation }) {
  const mayChange = useCan()('members:write');
  const who = invitation.email ?? 'Anyone with the link';
  const revoke = useAct({
    run: (client) => removed(client.invitations.revoke(invitation.invitation_id)),
    changes: [['invitations']],
    done: 'Invitation revoked',
  });
  return (
    <li className={classes.item}>
      <Text size="sm" className={classes.who}>
        <bdi>{who}</bdi>
      </Text>
      <Group gap="md" wrap="nowrap">
        <Text size="sm">{toWords(invitation.role)}</Text>
        <Text size="sm" c="dimmed">
          expires <TimeValue value={invitation.expires_at} />
        </Text>
        {mayChange && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Revoke the invitation of ${who}`}
            loading={revoke.isPending}
            onClick={() => revoke.mutate()}
          >
            Revoke
          </Button>
        )}
      </Group>
    </li>
  );
}
