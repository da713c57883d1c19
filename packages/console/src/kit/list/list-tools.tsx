import { ActionIcon, Button, Checkbox, Group, Menu, Popover, Stack, Text } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconColumns3,
  IconDownload,
  IconMinus,
  IconPlus,
} from '@tabler/icons-react';
import { ExportDialog } from './export/export-dialog.tsx';
import { useExport } from './export/use-export.ts';
import classes from './list-tools.module.css';
import { defaultColumns } from './table/use-columns.ts';
import type { ListModel } from './use-list.ts';

/** The step by which a button changes the width of a column, in pixels. */
const WIDTH_STEP = 24;

type ListToolsProps<Item> = Pick<ListModel<Item>, 'list' | 'address' | 'columns'>;

/** Columns, order and export. */
export function ListTools<Item>({ list, address, columns }: ListToolsProps<Item>) {
  const exported = useExport({ list, query: address.query, columns: columns.definitions });
  return (
    <Group gap="xs" wrap="nowrap">
      {list.sorts && <OrderMenu list={list} address={address} />}
      <ColumnsPopover list={list} address={address} columns={columns} />
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload size={14} aria-hidden="true" />}
          >
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => exported.begin('csv')}>CSV, the columns shown</Menu.Item>
          <Menu.Item onClick={() => exported.begin('ndjson')}>NDJSON, all fields</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ExportDialog exported={exported} noun={list.noun} />
    </Group>
  );
}

function OrderMenu<Item>({ list, address }: Omit<ListToolsProps<Item>, 'columns'>) {
  const orders = [{ value: undefined, label: 'Newest first' }, ...(list.sorts ?? [])];
  const current = orders.find(({ value }) => value === address.sort) ?? orders[0];
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" size="compact-sm" aria-label={`Order: ${current?.label}`}>
          {current?.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {orders.map(({ value, label }) => (
          <Menu.Item key={label} onClick={() => address.set({ sort: value })}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ColumnsPopover<Item>({ list, address, columns }: ListToolsProps<Item>) {
  const shown = columns.definitions.map(({ id }) => id);
  const set = (ids: readonly string[]) => {
    const isDefault = ids.join() === defaultColumns(list.columns).join();
    address.set({ columns: isDefault ? undefined : ids.join() });
  };
  const hidden = list.columns.filter(({ id }) => !shown.includes(id));
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconColumns3 size={14} aria-hidden="true" />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          {[...columns.definitions, ...hidden].map(({ id, header }) => {
            const place = shown.indexOf(id);
            const width = columns.shown[place]?.width ?? 0;
            return (
              <div key={id} className={classes.column}>
                <Checkbox
                  size="xs"
                  label={header}
                  checked={place >= 0}
                  disabled={place >= 0 && shown.length === 1}
                  onChange={() => set(place >= 0 ? shown.filter((one) => one !== id) : [...shown, id])}
                />
                {place >= 0 && (
                  <Group gap={2} wrap="nowrap">
                    <SmallButton
                      label={`Move ${header} forward`}
                      Icon={IconArrowUp}
                      isOff={place === 0}
                      onClick={() => set(swapped(shown, place - 1))}
                    />
                    <SmallButton
                      label={`Move ${header} back`}
                      Icon={IconArrowDown}
                      isOff={place === shown.length - 1}
                      onClick={() => set(swapped(shown, place))}
                    />
                    <SmallButton
                      label={`Make ${header} narrower`}
                      Icon={IconMinus}
                      onClick={() => columns.setWidth(id, width - WIDTH_STEP)}
                    />
                    <SmallButton
                      label={`Make ${header} wider`}
                      Icon={IconPlus}
                      onClick={() => columns.setWidth(id, width + WIDTH_STEP)}
                    />
                  </Group>
                )}
              </div>
            );
          })}
          <Text size="xs" c="dimmed">
            Widths are kept in this browser. The address holds which columns are shown.
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              columns.resetWidths();
              address.set({ columns: undefined });
            }}
          >
            Reset the columns
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface SmallButtonProps {
  readonly label: string;
  readonly Icon: typeof IconPlus;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function SmallButton({ label, Icon, isOff = false, onClick }: SmallButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      title={label}
      disabled={isOff}
      onClick={onClick}
    >
      <Icon size={14} aria-hidden="true" />
    </ActionIcon>
  );
}

/** Returns the ids with the one at a place and the next one exchanged. */
function swapped(ids: readonly string[], place: number): readonly string[] {
  const next = [...ids];
  next.splice(place, 2, ...next.slice(place, place + 2).reverse());
  return next;
}
