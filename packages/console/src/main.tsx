import './app/mantine.css';
import './app/global.css';
import { createConsoleParts } from './app/console-parts.ts';
import { matchPage } from './app/match-page.ts';
import { PAGES } from './app/pages.ts';
import { preloadPages } from './app/preload-pages.ts';
import {
  accountPage,
  CONSOLE_PATH,
  claimStorage,
  exchangeSession,
  type IssuedSession,
  onPersonChange,
  pathBelowTenant,
  SignedOutError,
  tenantOfAddress,
  tenantPath,
} from './session/index.ts';

// This file is small and comes first. While React is on its way, it exchanges the session and reads what the page shows.
const page = matchPage(PAGES, pathBelowTenant());
const app = import('./app/render-app.tsx');
const code = page?.load();
app.catch(() => {});
code?.catch(() => {});

await start();

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  try {
    const session = await exchangeSession();
    if (tenantOfAddress() === undefined) history.replaceState(null, '', `${tenantPath(session.tenant.id)}/`);
    claimStorage(session.account.id);
    onPersonChange(session.account.id, leave);
    const parts = createConsoleParts(session);
    if (page && may(session, page.scope)) page.prefetch?.(parts.client, parts.queries);
    const { renderApp } = await app;
    await code;
    renderApp(root, { session, ...parts });
    preloadPages(PAGES.filter(({ scope }) => may(session, scope)));
  } catch (error) {
    if (error instanceof SignedOutError) {
      location.replace(accountPage('login'));
      return;
    }
    const { renderStartFailure } = await import('./app/start-failure.tsx');
    renderStartFailure(root, error);
  }
}

/** Removes the page, with all that it shows and holds, and starts again for the person who is signed in now. */
function leave(): void {
  location.replace(`${CONSOLE_PATH}/`);
}

function may({ scopes }: IssuedSession, scope: string): boolean {
  return scopes.includes(scope);
}
