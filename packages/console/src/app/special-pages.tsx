import { Button, Code, Text } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { EmptyState, PageLayout, PageLink } from '../kit/index.ts';
import { useSession } from '../session/index.ts';

/** At an address that is no page. */
export function UnknownPage() {
  return (
    <PageLayout title="This page does not exist">
      <EmptyState title="Check the address, or start again from the overview.">
        <PageLink to="/">Open the overview</PageLink>
      </EmptyState>
    </PageLayout>
  );
}

/** At a page that the person's role does not open. */
export function ForbiddenPage({ scope }: { scope: string }) {
  const { role } = useSession();
  return (
    <PageLayout title="Your role cannot open this page">
      <EmptyState title={`You are ${role === 'viewer' ? 'a' : 'an'} ${role}. The page needs ${scope}.`}>
        <Text size="sm">An admin of the tenant can change your role.</Text>
      </EmptyState>
    </PageLayout>
  );
}

/** Instead of a page that failed: the rest of the console stays usable. */
export function CrashedPage({ error, reset }: ErrorComponentProps) {
  return (
    <PageLayout title="This page could not be shown">
      <EmptyState title="The console has a defect, or could not load one of its files.">
        <Code block>{error instanceof Error ? error.message : String(error)}</Code>
        <Button onClick={() => reset()}>Try again</Button>
      </EmptyState>
    </PageLayout>
  );
}
