import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '@tps/client';
import {
  Actor,
  actorText,
  CopyButton,
  DetailLayout,
  Facts,
  IdLink,
  PageLink,
  QueryState,
  Section,
  Snippet,
  StatusBadge,
  TimeValue,
  toWords,
} from '../../kit/index.ts';
import { useClient } from '../../session/index.ts';

/** One audit entry in full. */
export function AuditDetail({ id }: { readonly id: string }) {
  const client = useClient();
  const query = useQuery({
    queryKey: ['audit', 'entry', id],
    queryFn: ({ signal }) => client.audit.get(id, { signal }),
    // Entries never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <QueryState query={query}>{(entry) => <Entry entry={entry} />}</QueryState>;
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { actor, resource, fields } = entry;
  const values = Object.entries(fields);
  return (
    <DetailLayout id={entry.audit_id} title={entry.detail} marks={<StatusBadge value={entry.outcome} />}>
      <Section title="Entry">
        <Facts
          items={[
            { label: 'When', value: <TimeValue value={entry.occurred_at} format="full" /> },
            { label: 'Actor', value: <Actor {...actor} /> },
            { label: 'Action', value: entry.action },
            {
              label: toWords(resource.type),
              value: (
                <bdi>
                  <IdLink id={resource.id}>{resource.name ?? resource.id}</IdLink>
                </bdi>
              ),
            },
            { label: 'Request', value: entry.request_id && <Request id={entry.request_id} /> },
          ]}
        />
      </Section>
      {values.length > 0 && (
        <Section title="Values">
          <Facts items={values.map(([name, value]) => ({ label: toWords(name), value: toText(value) }))} />
        </Section>
      )}
      <Section title="More">
        <Group gap="md">
          <PageLink to="/audit" search={{ actor_id: actor.id }}>
            All by {actorText(actor)}
          </PageLink>
          <PageLink to="/audit" search={{ resource_id: resource.id }}>
            All about this {toWords(resource.type).toLowerCase()}
          </PageLink>
          <PageLink to="/audit" search={{ action: entry.action }}>
            All {entry.action}
          </PageLink>
        </Group>
      </Section>
      <Section title="As JSON">
        <Snippet code={JSON.stringify(entry, null, 2)} label="The entry as JSON" />
      </Section>
    </DetailLayout>
  );
}

function Request({ id }: { readonly id: string }) {
  return (
    <Group gap={4}>
      <Text size="sm" component="span">
        {id}
      </Text>
      <CopyButton value={id} label="Copy the ID of the request" />
    </Group>
  );
}

function toText(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.map((one) => toText(one)).join(', ') || 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
