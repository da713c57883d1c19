import { Button, Modal, TextInput } from '@mantine/core';
import type { Device } from '@tps/client';
import { useState } from 'react';
import { Form, useAct, useDraft } from '../../kit/index.ts';

/** Gives a device another name. What was typed stays until it is saved. */
export function RenameDevice({ device }: { readonly device: Device }) {
  const [isOpen, setOpen] = useState(false);
  const { device_id: id } = device;
  const draft = useDraft(`device-name:${id}`, device.name ?? '');
  const rename = useAct<string, Device>({
    run: (client, name) => client.devices.update(id, { name }),
    changes: [['devices']],
    done: 'Device renamed',
    draft,
    onDone: () => setOpen(false),
  });
  const name = draft.value.trim();
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Rename device
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Rename device">
        <Form
          act="Rename"
          isReady={name !== '' && name !== device.name}
          change={rename}
          onSubmit={() => rename.mutate(name)}
          onCancel={() => setOpen(false)}
        >
          <TextInput
            data-autofocus
            label="Name"
            maxLength={200}
            autoComplete="off"
            value={draft.value}
            onChange={(event) => draft.setValue(event.currentTarget.value)}
          />
        </Form>
      </Modal>
    </>
  );
}
