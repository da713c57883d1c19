import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Token } from '@tps/client';
import {
  DetailLayout,
  DialogButton,
  Facts,
  History,
  IdLink,
  QueryState,
  Section,
  StatusBadge,
  TimeValue,
} from '../../kit/index.ts';
import { useCan, useClient } from '../../session/index.ts';
import { reminderOf } from './key-reminder.ts';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RollKeyDialog } from './roll-key-dialog.tsx';
import { ScopeList } from './scope-picker.tsx';

export function KeyPage() {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string };
  const client = useClient();
  const query = useQuery({
    queryKey: ['keys', id],
    queryFn: ({ signal }) => client.tokens.get(id, { signal }),
  });
  return <QueryState query={query}>{(token) => <KeyDetail key={token.token_id} token={token} />}</QueryState>;
}

function KeyDetail({ token }: { readonly token: Token }) {
  const can = useCan();
  const { token_id: id } = token;
  const mayChange = can('tokens:write') && token.status === 'active';
  const reminder = reminderOf(token, Date.now());
  return (
    <DetailLayout
      id={id}
      title={token.name}
      marks={
        <>
          <StatusBadge value={token.status} />
          <code>{token.hint}</code>
          {reminder !== undefined && <StatusBadge value={reminder} tone="warning" />}
        </>
      }
      actions={mayChange && <KeyActions />}
    >
      <Section title="Details">
        <Facts
          items={[
            { label: 'Created', value: <TimeValue value={token.created_at} format="full" /> },
            { label: 'Created by', value: <IdLink id={token.created_by} /> },
            { label: 'Last used', value: <TimeValue value={token.last_used_at} absent="Never" /> },
            { label: 'Expires', value: <TimeValue value={token.expires_at} format="full" absent="Never" /> },
            {
              label: 'Revoked',
              value: token.revoked_at !== null && <TimeValue value={token.revoked_at} format="full" />,
            },
            { label: 'Environment', value: token.environment },
          ].filter(({ value }) => value !== false)}
        />
      </Section>
      <Section title="Scopes">
        <ScopeList scopes={token.scopes} />
      </Section>
      <History id={id} />
      <History id={id} of="actor" title="What it did" />
      {mayChange && <RollKeyDialog token={token} />}
      {mayChange && <RevokeKeyDialog token={token} />}
    </DetailLayout>
  );
}

function KeyActions() {
  return (
    <>
      <DialogButton opens="roll" label="Roll key" isMain />
      <DialogButton opens="revoke" label="Revoke key" />
    </>
  );
}
