import { Group, Stack, Title } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { CopyButton } from '../values/copy-button.tsx';
import { IdLink } from '../values/id-link.tsx';

/** Whether a detail is shown beside its list. Its title is then not the title of the window. */
export const FlyoutContext = createContext(false);

interface DetailLayoutProps {
  readonly id: string;
  /** What it is, in words: the message of an incident, the name of a device. */
  readonly title: string;
  /** Severity, status and the like, under the title. */
  readonly marks?: ReactNode;
  /** Buttons: the main act first. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One object: the same component as a page and as a flyout beside the list. `children` are `Section`s. */
export function DetailLayout({ id, title, marks, actions, children }: DetailLayoutProps) {
  const isFlyout = useContext(FlyoutContext);
  useEffect(() => {
    if (!isFlyout) document.title = `${title} · Threat Protection`;
  }, [isFlyout, title]);
  return (
    <Stack gap="md" component="article" aria-label={title}>
      <div>
        <Title order={isFlyout ? 2 : 1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        <Group gap="xs">
          <IdLink id={id} />
          <CopyButton value={id} label="Copy the ID" />
        </Group>
        {marks !== undefined && (
          <Group gap="md" mt="xs">
            {marks}
          </Group>
        )}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
      {children}
    </Stack>
  );
}
