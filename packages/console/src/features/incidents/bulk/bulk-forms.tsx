import { Button, Group, Select, Stack, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useClient } from '../../../session/index.ts';
import { assigneesQuery } from '../incident-queries.ts';

interface FormProps<Value> {
  readonly onSubmit: (value: Value) => void;
  readonly onCancel: () => void;
}

/** Asks who gets the incidents. */
export function AssignForm({ onSubmit, onCancel }: FormProps<string | null>) {
  const { data } = useQuery(assigneesQuery(useClient()));
  const [assignee, setAssignee] = useState<string | null>('me');
  const members = (data?.data ?? []).map(({ account_id: value, name: label }) => ({ value, label }));
  return (
    <BulkForm
      act={assignee === null ? 'Unassign' : 'Assign'}
      onSubmit={() => onSubmit(assignee)}
      onCancel={onCancel}
    >
      <Select
        label="Assignee"
        placeholder="Unassigned"
        searchable
        clearable
        data-autofocus
        clearButtonProps={{ 'aria-label': 'Unassign' }}
        value={assignee}
        data={[{ value: 'me', label: 'Me' }, ...members]}
        onChange={setAssignee}
      />
    </BulkForm>
  );
}

/** Asks which tags are added. */
export function TagForm({ onSubmit, onCancel }: FormProps<string[]>) {
  const [tags, setTags] = useState<string[]>([]);
  return (
    <BulkForm act="Add tags" isReady={tags.length > 0} onSubmit={() => onSubmit(tags)} onCancel={onCancel}>
      <TagsInput
        label="Tags"
        description="Enter adds one. Tags that an incident has already stay."
        data-autofocus
        maxTags={50}
        maxLength={64}
        value={tags}
        onChange={setTags}
      />
    </BulkForm>
  );
}

function BulkForm(props: {
  readonly act: string;
  readonly isReady?: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}) {
  const { act, isReady = true, onSubmit, onCancel, children } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onSubmit();
      }}
    >
      <Stack gap="md">
        {children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isReady}>
            {act}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
