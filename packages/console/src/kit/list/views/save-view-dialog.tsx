import { Checkbox, Modal, TextInput } from '@mantine/core';
import type { Client, NewView, SavedView } from '@tps/client';
import { useCan } from '../../../session/index.ts';
import { useAct } from '../../acts/use-act.ts';
import { Form } from '../../forms/form.tsx';
import { useDraft } from '../../forms/use-draft.ts';
import type { ListDefinition, ListQuery } from '../list-definition.ts';
import { keptQuery, namesOfAges } from './view-query.ts';

interface SaveViewDialogProps<Item> {
  readonly list: ListDefinition<Item>;
  readonly search: ListQuery;
  readonly page: string;
  /** The view to rename; undefined to save a new one. */
  readonly renamed: SavedView | undefined;
  readonly onClose: () => void;
  readonly onSaved: (view: SavedView) => void;
}

const MAX_NAME_LENGTH = 80;

/** Asks for the name of a view. */
export function SaveViewDialog<Item>(props: SaveViewDialogProps<Item>) {
  const { list, search, page, renamed, onClose, onSaved } = props;
  const mayShare = useCan()('views:share');
  const { value, setValue, clear } = useDraft(`view:${page}:${renamed?.view_id ?? 'new'}`, {
    name: renamed?.name ?? '',
    isShared: false,
    keepsAge: true,
  });
  const name = value.name.trim();
  const hasAge = namesOfAges(list, search).length > 0;
  const close = () => {
    clear();
    onClose();
  };
  const save = useAct({
    run: async (client, _input, { isRepeat }) => {
      if (renamed) return client.views.update(renamed.view_id, { name });
      const query = keptQuery(list, search, { keepsAge: value.keepsAge, nowMs: Date.now() });
      const wanted = { name, page, query, shared: value.isShared };
      return (isRepeat && (await findSame(client, wanted))) || client.views.create(wanted);
    },
    changes: [['views']],
    done: renamed ? 'View renamed' : 'View saved',
    showsError: true,
    onDone: (view) => {
      onSaved(view);
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={renamed ? 'Rename the view' : 'Save as a new view'}>
      <Form
        act={renamed ? 'Rename' : 'Save'}
        isReady={name !== ''}
        change={save}
        onSubmit={() => save.mutate()}
        onCancel={close}
      >
        <TextInput
          data-autofocus
          label="Name"
          placeholder="High severity, not assigned"
          maxLength={MAX_NAME_LENGTH}
          value={value.name}
          onChange={(event) => setValue({ ...value, name: event.currentTarget.value })}
        />
        {!renamed && hasAge && (
          <Checkbox
            label="Keep the time range relative to now"
            checked={value.keepsAge}
            onChange={(event) => setValue({ ...value, keepsAge: event.currentTarget.checked })}
          />
        )}
        {!renamed && mayShare && (
          <Checkbox
            label="Share with everyone in the tenant"
            checked={value.isShared}
            onChange={(event) => setValue({ ...value, isShared: event.currentTarget.checked })}
          />
        )}
      </Form>
    </Modal>
  );
}

/** Returns the view that an earlier try, whose answer was lost, has saved. */
async function findSame(client: Client, { name, page, query }: NewView): Promise<SavedView | undefined> {
  for await (const view of client.views.list({ page, limit: 100 })) {
    if (view.name === name && view.query === query) return view;
  }
  return undefined;
}
