import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createClient } from '@tps/client';
import { useState } from 'react';
import { KeyboardProvider } from '../kit/index.ts';
import {
  API_URL,
  type IssuedSession,
  SessionProvider,
  STYLE_NONCE,
  sessionTokens,
} from '../session/index.ts';
import { createQueryClient } from './query-client.ts';
import { createConsoleRouter } from './router.tsx';
import { SignedOutDialog } from './signed-out-dialog.tsx';
import { theme } from './theme.ts';

/** The console of one signed-in person in one tenant. */
export function App({ session }: { readonly session: IssuedSession }) {
  const [isSignedOut, setSignedOut] = useState(false);
  const [parts] = useState(() => ({
    client: createClient({
      baseUrl: API_URL,
      credential: sessionTokens(session),
      allowInsecure: location.protocol === 'http:',
    }),
    queries: createQueryClient({ onSignedOut: () => setSignedOut(true) }),
    router: createConsoleRouter(session),
  }));
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => STYLE_NONCE}>
      <Notifications position="bottom-right" limit={4} />
      <SessionProvider value={{ session, client: parts.client }}>
        <QueryClientProvider client={parts.queries}>
          <KeyboardProvider>
            <RouterProvider router={parts.router} />
          </KeyboardProvider>
          <SignedOutDialog opened={isSignedOut} />
        </QueryClientProvider>
      </SessionProvider>
    </MantineProvider>
  );
}
