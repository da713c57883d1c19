import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

interface QueryStateProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** Shows what a query has read, its skeleton while it loads, or its error. Data that was read before stays while it is read again. */
export function QueryState<Data>({ query, children }: QueryStateProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} retry={() => query.refetch()} />;
  return (
    <Stack gap="sm" aria-busy="true" aria-label="Loading">
      <Skeleton height={18} width="40%" />
      <Skeleton height={18} />
      <Skeleton height={18} width="70%" />
    </Stack>
  );
}
