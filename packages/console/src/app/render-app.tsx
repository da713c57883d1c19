import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { KeyboardProvider, loadPart } from '../kit/index.ts';
import { type Session, SessionProvider, STYLE_NONCE } from '../session/index.ts';
import type { ConsoleParts } from './console-parts.ts';
import { type ConsoleRouter, createConsoleRouter } from './router.tsx';
import { theme } from './theme.ts';
import { whenIdle } from './when-idle.ts';

interface AppProps extends ConsoleParts {
  readonly session: Session;
}

/** Shows the console of one signed-in person in one tenant. */
export async function renderApp(root: HTMLElement, props: AppProps): Promise<void> {
  const router = createConsoleRouter(props.session);
  // Finds the page first, so that the frame is not drawn twice.
  await router.load();
  // Dialogs lock the scrolling of the page with a style element of a library that reads its nonce there.
  Object.assign(globalThis, { __webpack_nonce__: STYLE_NONCE });
  createRoot(root).render(<App {...props} router={router} />);
}

function App({
  session,
  client,
  queries,
  onSignedOut,
  router,
}: AppProps & { readonly router: ConsoleRouter }) {
  const [isSignedOut, setSignedOut] = useState(false);
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  useEffect(() => onSignedOut(() => setSignedOut(true)), [onSignedOut]);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => STYLE_NONCE}>
      <SessionProvider value={{ session, client }}>
        <QueryClientProvider client={queries}>
          <KeyboardProvider>
            <RouterProvider router={router} />
          </KeyboardProvider>
          <Suspense>
            {isIdle && <Notifications />}
            {isSignedOut && <SignedOutDialog />}
          </Suspense>
        </QueryClientProvider>
      </SessionProvider>
    </MantineProvider>
  );
}

// Not part of the first load: neither is on a page that has just been opened. A notification waits for its place.
const Notifications = lazy(() =>
  loadPart(() => import('./overlays.tsx').then(({ Notifications: One }) => ({ default: One }))),
);
const SignedOutDialog = lazy(() =>
  loadPart(() => import('./overlays.tsx').then(({ SignedOutDialog: One }) => ({ default: One }))),
);
