import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface PageLayoutProps {
  readonly title: string;
  /** One sentence on what the page is for, where the title does not say it. */
  readonly description?: ReactNode;
  /** Buttons at the top right: the main act last. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The head of every page, and the title of the window. */
export function PageLayout({ title, description, actions, children }: PageLayoutProps) {
  useEffect(() => {
    document.title = `${title} · Threat Protection`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" wrap="wrap">
        <div>
          <Title order={1}>{title}</Title>
          {description !== undefined && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
