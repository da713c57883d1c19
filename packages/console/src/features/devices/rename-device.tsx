import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import type { Device } from '@tps/client';
import { type FormEvent, useState } from 'react';
import { ErrorState, useAct, useDraft } from '../../kit/index.ts';

/** Gives a device another name. What was typed stays until it is saved. */
export function RenameDevice({ device }: { readonly device: Device }) {
  const [isOpen, setOpen] = useState(false);
  const { device_id: id } = device;
  const draft = useDraft(`device-name:${id}`, device.name ?? '');
  const rename = useAct<string, Device>({
    run: (client, name) => client.devices.update(id, { name }),
    changes: [['devices']],
    done: 'Device renamed',
    onDone: () => {
      draft.clear();
      setOpen(false);
    },
    showsError: true,
  });
  const name = draft.value.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(name);
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Rename device
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Rename device"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form onSubmit={submit}>
          <Stack gap="md">
            <TextInput
              data-autofocus
              label="Name"
              maxLength={200}
              autoComplete="off"
              value={draft.value}
              onChange={(event) => draft.setValue(event.currentTarget.value)}
            />
            {rename.error && <ErrorState error={rename.error} />}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={() => setOpen(false)}>
                Cancel
              </Button>
              <Button type="submit" disabled={name === '' || name === device.name} loading={rename.isPending}>
                Rename
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
