import { Text, Textarea } from '@mantine/core';
import { Form, type FormProps, useDraft } from '../../../kit/index.ts';

interface CommentedFormProps {
  /** Names the draft, so that nothing typed is lost. */
  readonly draft: string;
  readonly act: string;
  /** What the act does. */
  readonly hint: string;
  readonly change?: FormProps['change'];
  readonly onSubmit: (comment: string, clear: () => void) => void;
  readonly onCancel: () => void;
}

/** Confirms a decision, with an optional comment. */
export function CommentedForm({ draft, act, hint, change, onSubmit, onCancel }: CommentedFormProps) {
  const { value, setValue, clear } = useDraft(draft, '');
  const submit = () => onSubmit(value.trim(), clear);
  return (
    <Form act={act} change={change} onSubmit={submit} onCancel={onCancel} cancel="Back">
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
    </Form>
  );
}
