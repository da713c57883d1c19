import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IdLink } from '../../values/id-link.tsx';
import { toCount } from '../../values/words.ts';
import type { ListDefinition } from '../list-definition.ts';
import classes from './bulk-dialog.module.css';
import type { Bulk } from './use-bulk.ts';

/** How many failures are listed; the rest is counted. */
const MAX_LISTED = 200;

interface BulkDialogProps<Item> {
  readonly list: ListDefinition<Item>;
  readonly bulk: Bulk<Item>;
}

/** Asks for what an action needs, and lists the items that it could not change. */
export function BulkDialog<Item>({ list, bulk }: BulkDialogProps<Item>) {
  const { state } = bulk;
  if (state?.step === 'form') {
    const { action, count } = state;
    const title = action.label.replace('…', '');
    return (
      <Modal
        opened
        onClose={bulk.cancel}
        title={count === undefined ? title : `${title}: ${toCount(count, list.noun)}`}
      >
        {action.form?.({ submit: bulk.submit, cancel: bulk.cancel, count })}
      </Modal>
    );
  }
  if (state?.step !== 'failed') return null;
  const { changed, failed } = state.outcome;
  return (
    <Modal opened onClose={bulk.cancel} title={`${toCount(failed.length, list.noun)} not changed`} size="lg">
      <Stack gap="sm">
        <Text size="sm">{toCount(changed.length, state.action.done)}. The others were refused:</Text>
        <ul className={classes.failures}>
          {failed.slice(0, MAX_LISTED).map(({ id, error }) => (
            <li key={id}>
              <IdLink id={id} /> {error?.message}
            </li>
          ))}
        </ul>
        {failed.length > MAX_LISTED && <Text size="sm">and {failed.length - MAX_LISTED} more</Text>}
        <Group justify="flex-end">
          <Button onClick={bulk.cancel}>Close</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
