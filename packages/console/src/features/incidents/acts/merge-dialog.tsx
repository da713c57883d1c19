import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import type { Incident, IncidentChange } from '@tps/client';
import { LinkedText, TimeValue, toWords } from '../../../kit/index.ts';
import { entriesSince, MERGED_MEMBERS, type MergeConflictError } from './merge-conflict.ts';
import type { IncidentChanger } from './use-incident-change.ts';

/** Shows what two people changed at the same time, and asks which change stays. */
export function MergeDialog({ changer }: { readonly changer: IncidentChanger }) {
  const { conflict, settle, change, isPending } = changer;
  return (
    <Modal
      opened={conflict !== undefined}
      onClose={settle}
      title="Another person has changed this incident"
      size="lg"
    >
      {conflict && (
        <Stack gap="md">
          <Changes conflict={conflict} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={settle}>
              Keep theirs
            </Button>
            <Button loading={isPending} onClick={() => change(conflict.wanted, conflict.current)}>
              Apply mine as well
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function Changes({ conflict }: { readonly conflict: MergeConflictError }) {
  const { wanted, shown, current } = conflict;
  return (
    <>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Field</Table.Th>
            <Table.Th>You saw</Table.Th>
            <Table.Th>It is now</Table.Th>
            <Table.Th>You want</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {MERGED_MEMBERS.map((name) => ({
            name,
            saw: textOf(shown, name),
            is: textOf(current, name),
            want: wantedText(wanted, name),
          }))
            .filter(({ saw, is, want }) => saw !== is || want !== undefined)
            .map(({ name, saw, is, want }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{toWords(name)}</Table.Th>
                <Table.Td>{saw}</Table.Td>
                <Table.Td fw={saw === is ? 400 : 600}>{is}</Table.Td>
                <Table.Td>{want ?? '–'}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {entriesSince(shown, current).map(({ at, actor, actor_name: name, message }) => (
        <Text key={`${at} ${message}`} size="sm">
          <strong>
            <bdi>{name ?? actor}</bdi>
          </strong>{' '}
          <TimeValue value={at} />: <LinkedText text={message} />
        </Text>
      ))}
      {wanted.comment !== undefined && <Text size="sm">Your comment: {wanted.comment}</Text>}
    </>
  );
}

function textOf(incident: Incident, name: (typeof MERGED_MEMBERS)[number]): string {
  if (name === 'tags') return incident.tags.join(', ') || '–';
  if (name === 'assignee') return incident.assignee_name ?? incident.assignee ?? '–';
  const value = incident[name];
  return value === null ? '–' : toWords(value);
}

function wantedText(wanted: IncidentChange, name: (typeof MERGED_MEMBERS)[number]): string | undefined {
  const { add_tags: added = [], remove_tags: removed = [] } = wanted;
  if (name === 'tags') {
    const steps = [...added.map((tag) => `+ ${tag}`), ...removed.map((tag) => `− ${tag}`)];
    return wanted.tags?.join(', ') ?? (steps.length === 0 ? undefined : steps.join(', '));
  }
  const value = wanted[name];
  if (value === undefined) return undefined;
  if (value === null) return 'None';
  return name === 'assignee' ? (value === 'me' ? 'You' : value) : toWords(value);
}
