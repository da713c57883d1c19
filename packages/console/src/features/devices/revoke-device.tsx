import { Button } from '@mantine/core';
import type { Device } from '@tps/client';
import { useState } from 'react';
import { ConfirmByName, useAct } from '../../kit/index.ts';

/** Ends a device for good, after its name was typed. */
export function RevokeDeviceButton({ device }: { readonly device: Device }) {
  const [isOpen, setOpen] = useState(false);
  const { device_id: id } = device;
  const revoke = useAct({
    run: (client) => client.devices.update(id, { status: 'revoked' }),
    changes: [['devices']],
    done: 'Device revoked',
    onDone: () => setOpen(false),
    showsError: true,
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        Revoke device
      </Button>
      <ConfirmByName
        opened={isOpen}
        title="Revoke device"
        name={device.name ?? id}
        act="Revoke device"
        change={revoke}
        onConfirm={() => revoke.mutate()}
        onClose={() => setOpen(false)}
      >
        The device can never send or register again, and its credentials end at once. Its events stay. This
        cannot be undone.
      </ConfirmByName>
    </>
  );
}
