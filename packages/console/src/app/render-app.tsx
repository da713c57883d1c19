import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { KeyboardProvider } from '../kit/index.ts';
import { type Session, SessionProvider, STYLE_NONCE } from '../session/index.ts';
import type { ConsoleParts } from './console-parts.ts';
import { createConsoleRouter } from './router.tsx';
import { theme } from './theme.ts';

interface AppProps extends ConsoleParts {
  readonly session: Session;
}

/** Shows the console of one signed-in person in one tenant. */
export function renderApp(root: HTMLElement, props: AppProps): void {
  // Dialogs lock the scrolling of the page with a style element of a library that reads its nonce there.
  Object.assign(globalThis, { __webpack_nonce__: STYLE_NONCE });
  createRoot(root).render(<App {...props} />);
}

function App({ session, client, queries, onSignedOut }: AppProps) {
  const [router] = useState(() => createConsoleRouter(session));
  const [isSignedOut, setSignedOut] = useState(false);
  useEffect(() => onSignedOut(() => setSignedOut(true)), [onSignedOut]);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => STYLE_NONCE}>
      <SessionProvider value={{ session, client }}>
        <QueryClientProvider client={queries}>
          <KeyboardProvider>
            <RouterProvider router={router} />
          </KeyboardProvider>
          <Suspense>
            <Notifications />
            {isSignedOut && <SignedOutDialog />}
          </Suspense>
        </QueryClientProvider>
      </SessionProvider>
    </MantineProvider>
  );
}

// Not part of the first load: neither is on a page that has just been opened.
const Notifications = lazy(() =>
  import('./overlays.tsx').then(({ Notifications: One }) => ({ default: One })),
);
const SignedOutDialog = lazy(() =>
  import('./overlays.tsx').then(({ SignedOutDialog: One }) => ({ default: One })),
);
