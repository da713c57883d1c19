import { ActionIcon, Group } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { FlyoutContext } from '../../detail/detail-layout.tsx';
import { ShortcutLevel } from '../../keyboard/index.ts';
import { PageLink } from '../../values/page-link.tsx';
import classes from './flyout.module.css';

interface FlyoutProps {
  readonly id: string;
  /** The page of the same item. */
  readonly path: string | undefined;
  readonly label: string;
  readonly onClose: () => void;
  readonly onStep: (rows: number) => void;
  readonly children: ReactNode;
}

/** An item beside its list. The focus moves into it when it opens, and stays in it while the reader steps through items. */
export function Flyout({ id, path, label, onClose, onStep, children }: FlyoutProps) {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    const isElsewhere = activeElement !== null && activeElement !== document.body;
    if (id && frame.current && !(isElsewhere && frame.current.contains(activeElement))) frame.current.focus();
  }, [id]);
  return (
    <aside ref={frame} className={classes.flyout} tabIndex={-1} aria-label={label}>
      <div className={classes.head}>
        <Group gap={2}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Previous"
            title="Previous (k)"
            onClick={() => onStep(-1)}
          >
            <IconChevronUp size={16} aria-hidden="true" />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Next"
            title="Next (j)"
            onClick={() => onStep(1)}
          >
            <IconChevronDown size={16} aria-hidden="true" />
          </ActionIcon>
        </Group>
        <Group gap="sm">
          {path !== undefined && (
            <PageLink to={path} className={classes.page}>
              Open its page
            </PageLink>
          )}
          <ActionIcon variant="subtle" color="gray" aria-label="Close" title="Close (Esc)" onClick={onClose}>
            <IconX size={16} aria-hidden="true" />
          </ActionIcon>
        </Group>
      </div>
      <div className={classes.content} key={id}>
        <FlyoutContext value={true}>
          <ShortcutLevel value={1}>{children}</ShortcutLevel>
        </FlyoutContext>
      </div>
    </aside>
  );
}
