import { Kbd } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useShortcuts } from '../../kit/index.ts';
import classes from './shortcuts-button.module.css';

const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}));

/** Opens the list of the shortcuts that act now, as `?` does. */
export function ShortcutsButton() {
  const [isOpen, setOpen] = useState(false);
  const open = () => setOpen(true);
  useShortcuts([{ keys: '?', label: 'Show the shortcuts', group: 'Everywhere', run: open }]);
  return (
    <>
      <button type="button" className={classes.button} onClick={open}>
        <IconKeyboard size={16} stroke={1.75} aria-hidden="true" />
        <span className={classes.name}>Shortcuts</span>
        <Kbd size="xs">?</Kbd>
      </button>
      {isOpen && (
        <Suspense>
          <ShortcutsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
