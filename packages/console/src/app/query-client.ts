import { QueryClient } from '@tanstack/react-query';

/** What was read is shown at once and read again when it is older than this. */
const STALE_MS = 5_000;

/** The client of the API retries by itself, so queries do not. A mutation that is sent offline waits for the network. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: STALE_MS, retry: false, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
}
