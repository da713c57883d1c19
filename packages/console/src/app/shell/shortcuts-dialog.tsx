import '../mantine-more.css';
import { Kbd, Modal, Switch } from '@mantine/core';
import { Fragment } from 'react';
import { keysOf, type Shortcut, useActiveShortcuts, useShortcutsOn } from '../../kit/index.ts';
import classes from './shortcuts-dialog.module.css';

const SYMBOLS: Readonly<Record<string, string>> = { Escape: 'Esc', ArrowDown: '↓', ArrowUp: '↑' };

/** The shortcuts that act now, by what they act on. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [isOn, setOn] = useShortcutsOn();
  const active = useActiveShortcuts();
  const groups = [...new Set(active.map(({ group }) => group))];
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="md">
      {groups.map((group) => (
        <section key={group} className={classes.group}>
          <h3 className={classes.title}>{group}</h3>
          <dl className={classes.list}>
            {active
              .filter((shortcut) => shortcut.group === group)
              .map((shortcut) => (
                <div key={shortcut.label} className={classes.row}>
                  <dt>{shortcut.label}</dt>
                  <dd className={classes.keys}>
                    <Keys shortcut={shortcut} />
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      <Switch
        size="xs"
        label="Single-key shortcuts"
        description="Switch this off if you dictate, or press keys by accident."
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
    </Modal>
  );
}

function Keys({ shortcut }: { readonly shortcut: Shortcut }) {
  return keysOf(shortcut).map((key, index) => (
    <Fragment key={key}>
      {index > 0 && ' or '}
      {key.split('+').map((part) => (
        <Kbd key={part} size="xs">
          {SYMBOLS[part] ?? (part.length === 1 ? part.toUpperCase() : part)}
        </Kbd>
      ))}
    </Fragment>
  ));
}
