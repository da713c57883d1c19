import { Select, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from '../../../kit/index.ts';
import { useClient } from '../../../session/index.ts';
import { assigneesQuery } from '../incident-queries.ts';

interface BulkFormProps<Value> {
  readonly onSubmit: (value: Value) => void;
  readonly onCancel: () => void;
}

/** Asks who gets the incidents. */
export function AssignForm({ onSubmit, onCancel }: BulkFormProps<string | null>) {
  const { data } = useQuery(assigneesQuery(useClient()));
  const [assignee, setAssignee] = useState<string | null>('me');
  const members = (data?.data ?? []).map(({ account_id: value, name: label }) => ({ value, label }));
  return (
    <Form
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
    </Form>
  );
}

/** Asks which tags are added. */
export function TagForm({ onSubmit, onCancel }: BulkFormProps<string[]>) {
  const [tags, setTags] = useState<string[]>([]);
  return (
    <Form act="Add tags" isReady={tags.length > 0} onSubmit={() => onSubmit(tags)} onCancel={onCancel}>
      <TagsInput
        label="Tags"
        description="Enter adds one. Tags that an incident has already stay."
        data-autofocus
        maxTags={50}
        maxLength={64}
        value={tags}
        onChange={setTags}
      />
    </Form>
  );
}
