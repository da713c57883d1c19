import { Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core';
import type { Incident } from '@tps/client';
import { useId } from 'react';
import { ErrorState, type FormProps, toWords, useDraft } from '../../../kit/index.ts';

type Move = Incident['allowed_moves'][number];
type Resolution = Move['resolutions'][number];

/** What each resolution means, in the words of the person who decides. */
const MEANINGS: Readonly<Record<Resolution, string>> = {
  true_positive: 'It was a threat, and it is dealt with. Its threats are resolved.',
  false_positive: 'The detection was wrong. Its threats are dismissed.',
  benign_expected: 'It happened, and it was allowed. Its threats are dismissed.',
  duplicate: 'Another incident covers it. Its threats stay as they are.',
  test: 'A test or an exercise. Its threats are dismissed.',
  inconclusive: 'It cannot be decided. Its threats stay as they are.',
};

export interface MoveInput {
  readonly resolution: Resolution | undefined;
  readonly comment: string | undefined;
}

interface MoveFormProps {
  /** Names the draft, so that nothing typed is lost. */
  readonly draft: string;
  readonly move: Pick<Move, 'requires' | 'resolutions'>;
  readonly act: string;
  readonly change?: FormProps['change'];
  readonly onSubmit: (input: MoveInput, clear: () => void) => void;
  readonly onCancel: () => void;
}

/** Asks for what a change of status requires: what the incident turned out to be, and why. */
export function MoveForm({ draft, move, act, change, onSubmit, onCancel }: MoveFormProps) {
  const { value, setValue, clear } = useDraft(draft, EMPTY);
  const headingId = useId();
  const { requires, resolutions } = move;
  const isReady =
    requires === 'resolution' ? value.resolution !== '' : requires !== 'comment' || value.comment !== '';
  const submit = () => {
    if (!isReady) return;
    const resolution = value.resolution === '' ? undefined : value.resolution;
    onSubmit(
      {
        resolution: requires === 'resolution' ? resolution : undefined,
        comment: value.comment.trim() === '' ? undefined : value.comment.trim(),
      },
      clear,
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        {requires === 'resolution' && (
          <Radio.Group
            label="What did it turn out to be?"
            aria-labelledby={headingId}
            value={value.resolution}
            onChange={(resolution) => setValue({ ...value, resolution: resolution as Resolution })}
          >
            <Stack gap="xs" mt="xs">
              {resolutions.map((resolution, index) => (
                <Radio
                  key={resolution}
                  value={resolution}
                  label={toWords(resolution)}
                  description={MEANINGS[resolution]}
                  {...(index === 0 && { 'data-autofocus': true })}
                />
              ))}
            </Stack>
          </Radio.Group>
        )}
        <Textarea
          label={requires === 'comment' ? 'Why?' : 'Comment'}
          description="Recorded in the timeline."
          autosize
          minRows={2}
          maxRows={10}
          maxLength={4000}
          required={requires === 'comment'}
          value={value.comment}
          onChange={(event) => setValue({ ...value, comment: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          }}
          {...(requires === 'comment' && { 'data-autofocus': true })}
        />
        {change?.error && <ErrorState error={change.error} />}
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed">
            Ctrl+Enter in the comment sends it
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isReady} loading={change?.isPending ?? false}>
              {act}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

const EMPTY: { readonly resolution: Resolution | ''; readonly comment: string } = {
  resolution: '',
  comment: '',
};
