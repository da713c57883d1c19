import { Button, Group, Stack, Textarea } from '@mantine/core';
import type { Incident } from '@tps/client';
import { ErrorState, useDraft } from '../../../kit/index.ts';
import { MergeDialog } from '../acts/merge-dialog.tsx';
import { useIncidentChange } from '../acts/use-incident-change.ts';

/** Adds a comment to the timeline, without any other change. */
export function CommentForm({ incident }: { readonly incident: Incident }) {
  const { value, setValue, clear } = useDraft(`incident-comment:${incident.id}`, '');
  const changer = useIncidentChange(incident, { onDone: clear });
  const comment = value.trim();
  const submit = () => {
    if (comment !== '') changer.change({ comment });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="xs">
        <Textarea
          aria-label="Comment"
          placeholder="What did you find out?"
          autosize
          minRows={2}
          maxRows={12}
          maxLength={4000}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
        {changer.error && <ErrorState error={changer.error} retry={submit} />}
        <Group justify="flex-end">
          <Button type="submit" size="xs" disabled={comment === ''} loading={changer.isPending}>
            Comment
          </Button>
        </Group>
      </Stack>
      <MergeDialog changer={changer} />
    </form>
  );
}
