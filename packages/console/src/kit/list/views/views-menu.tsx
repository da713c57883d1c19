import { Button, Menu } from '@mantine/core';
import { IconBookmark, IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useCan } from '../../../session/index.ts';
import { removed } from '../../acts/attempt.ts';
import { useAct } from '../../acts/use-act.ts';
import type { ListAddress } from '../address/use-list-address.ts';
import type { ListDefinition } from '../list-definition.ts';
import { SaveViewDialog } from './save-view-dialog.tsx';
import { type ListView, useViews, type Views } from './use-views.ts';
import { keptQuery } from './view-query.ts';
import classes from './views-menu.module.css';

interface ViewsMenuProps<Item> {
  readonly list: ListDefinition<Item>;
  readonly address: ListAddress;
}

type Dialog = 'save' | 'rename' | undefined;

/** The views of a list: opens, saves, shares and deletes them. */
export function ViewsMenu<Item>({ list, address }: ViewsMenuProps<Item>) {
  const views = useViews(list, address);
  const [dialog, setDialog] = useState<Dialog>();
  const { current } = views;
  if (!views.isAllowed && views.builtIn.length === 0) return null;
  return (
    <>
      <Menu position="bottom-start" width={300}>
        <Menu.Target>
          <Button
            variant="default"
            size="compact-sm"
            className={classes.button}
            leftSection={<IconBookmark size={14} aria-hidden="true" />}
            rightSection={<IconChevronDown size={14} aria-hidden="true" />}
          >
            <bdi className={classes.name}>{current?.name ?? 'Views'}</bdi>
            {views.isChanged && <span className={classes.changed}>changed</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.dropdown}>
          <ViewGroup label="Built in" views={views.builtIn} menu={views} />
          <ViewGroup label="Mine" views={views.own} menu={views} />
          <ViewGroup label="Shared" views={views.shared} menu={views} />
          {views.isAllowed && (
            <Acts list={list} address={address} views={views} ask={(wanted) => setDialog(wanted)} />
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog !== undefined && (
        <SaveViewDialog
          list={list}
          search={address.search}
          page={views.page}
          renamed={dialog === 'rename' ? current?.saved : undefined}
          onClose={() => setDialog(undefined)}
          onSaved={(view) => address.set({ view: view.view_id })}
        />
      )}
    </>
  );
}

function ViewGroup(props: {
  readonly label: string;
  readonly views: readonly ListView[];
  readonly menu: Views;
}) {
  const { label, views, menu } = props;
  if (views.length === 0) return null;
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      {views.map((view) => (
        <Menu.Item
          key={view.id}
          aria-current={view.id === menu.current?.id || undefined}
          rightSection={view.id === menu.current?.id && <IconCheck size={14} aria-hidden="true" />}
          onClick={() => menu.open(view)}
        >
          <bdi className={classes.item}>{view.name}</bdi>
        </Menu.Item>
      ))}
    </>
  );
}

function Acts<Item>(props: {
  readonly list: ListDefinition<Item>;
  readonly address: ListAddress;
  readonly views: Views;
  readonly ask: (dialog: Dialog) => void;
}) {
  const { list, address, views, ask } = props;
  const mayShare = useCan()('views:share');
  const saved = views.current?.saved;
  const changes = [['views']];
  const update = useAct({
    run: (client, change: { query?: string; shared?: boolean }) =>
      client.views.update(saved?.view_id ?? '', change),
    changes,
    done: 'View saved',
  });
  const remove = useAct({
    run: (client) => removed(client.views.remove(saved?.view_id ?? '')),
    changes,
    done: 'View deleted',
    onDone: () => address.set({ view: undefined }),
  });
  const mayChange = saved !== undefined && (saved.shared ? mayShare : true);
  return (
    <>
      <Menu.Divider />
      {mayChange && views.isChanged && (
        <Menu.Item
          onClick={() =>
            update.mutate({ query: keptQuery(list, address.search, { keepsAge: true, nowMs: Date.now() }) })
          }
        >
          Save the changes
        </Menu.Item>
      )}
      <Menu.Item onClick={() => ask('save')}>Save as a new view…</Menu.Item>
      {mayChange && <Menu.Item onClick={() => ask('rename')}>Rename…</Menu.Item>}
      {mayChange && mayShare && (
        <Menu.Item onClick={() => update.mutate({ shared: !saved.shared })}>
          {saved.shared ? 'Stop sharing' : 'Share with everyone'}
        </Menu.Item>
      )}
      {mayChange && (
        <Menu.Item color="red" onClick={() => remove.mutate()}>
          {saved.shared ? 'Delete for everyone' : 'Delete'}
        </Menu.Item>
      )}
    </>
  );
}
