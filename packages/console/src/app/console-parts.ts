import type { QueryClient } from '@tanstack/react-query';
import { type Client, createClient } from '@tps/client';
import { API_URL, type IssuedSession, sessionTokens } from '../session/index.ts';
import { createQueryClient } from './query-client.ts';

/** What the pages of one signed-in person share. */
export interface ConsoleParts {
  readonly client: Client;
  readonly queries: QueryClient;
  /** Called when the service says that the session has ended. */
  readonly onSignedOut: (listener: () => void) => void;
}

export function createConsoleParts(session: IssuedSession): ConsoleParts {
  const listeners: (() => void)[] = [];
  const client = createClient({
    baseUrl: API_URL,
    credential: sessionTokens(session),
    allowInsecure: location.protocol === 'http:',
  });
  const queries = createQueryClient({
    onSignedOut: () => {
      for (const listener of listeners) listener();
    },
  });
  return { client, queries, onSignedOut: (listener) => void listeners.push(listener) };
}
