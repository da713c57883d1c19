import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { ErrorState, useDraft } from '../../../kit/index.ts';

interface CommentedFormProps {
  /** Names the draft, so that nothing typed is lost. */
  readonly draft: string;
  readonly act: string;
  /** What the act does. */
  readonly hint: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSubmit: (comment: string, clear: () => void) => void;
  readonly onCancel: () => void;
}

/** Confirms a decision, with an optional comment. */
export function CommentedForm({
  draft,
  act,
  hint,
  isPending,
  error,
  onSubmit,
  onCancel,
}: CommentedFormProps) {
  const { value, setValue, clear } = useDraft(draft, '');
  const submit = () => onSubmit(value.trim(), clear);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        <Text size="sm">{hint}</Text>
        <Textarea
          label="Comment"
          description="Recorded in the audit log. Ctrl+Enter sends it."
          data-autofocus
          autosize
          minRows={2}
          maxRows={10}
          maxLength={4000}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
        {error && <ErrorState error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Back
          </Button>
          <Button type="submit" loading={isPending}>
            {act}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
