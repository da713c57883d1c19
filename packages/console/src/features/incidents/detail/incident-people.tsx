import { Select, Stack, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Incident } from '@tps/client';
import { SEVERITIES } from '@tps/contract/vocabulary';
import { ErrorState, toWords } from '../../../kit/index.ts';
import { useClient, useSession } from '../../../session/index.ts';
import { MergeDialog } from '../acts/merge-dialog.tsx';
import { useIncidentChange } from '../acts/use-incident-change.ts';
import { assigneesQuery } from '../incident-queries.ts';

/** Who works on it, how severe it is, and its tags: each change is sent at once. */
export function IncidentMembers({ incident }: { readonly incident: Incident }) {
  const changer = useIncidentChange(incident);
  return (
    <Stack gap="sm">
      <AssigneeSelect incident={incident} onChange={(assignee) => changer.change({ assignee })} />
      <Select
        label="Severity"
        size="xs"
        allowDeselect={false}
        value={incident.severity}
        data={SEVERITIES.map((value) => ({ value, label: toWords(value) }))}
        onChange={(severity) => severity && changer.change({ severity: severity as Incident['severity'] })}
      />
      <TagsInput
        label="Tags"
        size="xs"
        placeholder={incident.tags.length === 0 ? 'Add a tag' : ''}
        maxTags={50}
        maxLength={64}
        value={incident.tags}
        onChange={(tags) =>
          changer.change({
            add_tags: tags.filter((tag) => !incident.tags.includes(tag)),
            remove_tags: incident.tags.filter((tag) => !tags.includes(tag)),
          })
        }
      />
      {changer.error && <ErrorState error={changer.error} retry={changer.retry} />}
      <MergeDialog changer={changer} />
    </Stack>
  );
}

function AssigneeSelect({
  incident,
  onChange,
}: {
  readonly incident: Incident;
  readonly onChange: (assignee: string | null) => void;
}) {
  const client = useClient();
  const { account } = useSession();
  const { data } = useQuery(assigneesQuery(client));
  const { assignee, assignee_name: name } = incident;
  const members = (data?.data ?? []).map((member) => ({
    value: member.account_id,
    label: member.account_id === account.id ? `${member.name} (you)` : member.name,
  }));
  const isListed = assignee === null || members.some(({ value }) => value === assignee);
  return (
    <Select
      label="Assignee"
      size="xs"
      placeholder="Unassigned"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Unassign' }}
      value={assignee}
      data={isListed ? members : [{ value: assignee, label: name ?? assignee }, ...members]}
      onChange={onChange}
    />
  );
}
