import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { SignedOutError } from '../session/index.ts';

/** What was read is shown at once and read again when it is older than this. */
const STALE_MS = 5_000;

/** The client of the API retries by itself, so queries do not. */
export function createQueryClient({ onSignedOut }: { onSignedOut: () => void }): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof SignedOutError) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: STALE_MS, retry: false, refetchOnWindowFocus: true },
      // A change that is made offline fails at once: its form stays as it is, and says so.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
