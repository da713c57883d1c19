import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Where there is nothing to show: why, and what the reader can do next. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack align="flex-start" gap="sm" py="lg">
      <Text fw={600}>{title}</Text>
      {children}
    </Stack>
  );
}
