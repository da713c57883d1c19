import {
  accountPage,
  CONSOLE_PATH,
  claimStorage,
  type IssuedSession,
  onPersonChange,
  pathBelowTenant,
  SignedOutError,
  tenantOfAddress,
  tenantPath,
} from '../session/index.ts';
import { createConsoleParts } from './console-parts.ts';
import { loadPage } from './load-page.ts';
import { matchPage } from './match-page.ts';
import { PAGES } from './pages.ts';
import { preloadPages } from './preload-pages.ts';

/** Reads what the page shows while React is on its way, then shows it. */
export async function start(exchange: Promise<IssuedSession>): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  const page = matchPage(PAGES, pathBelowTenant());
  const app = import('./render-app.tsx');
  // If it cannot be loaded, the console shows everything else, and the page reports the failure.
  const code = page && loadPage(page).catch(() => {});
  app.catch(() => {});
  try {
    const session = await exchange;
    if (tenantOfAddress() === undefined) history.replaceState(null, '', `${tenantPath(session.tenant.id)}/`);
    claimStorage(session.account.id);
    onPersonChange(session.account.id, leave);
    const parts = createConsoleParts(session);
    if (page && may(session, page.scope)) page.prefetch?.(parts.client, parts.queries);
    const { renderApp } = await app;
    await code;
    await renderApp(root, { session, ...parts });
    preloadPages(PAGES.filter(({ scope }) => may(session, scope)));
  } catch (error) {
    if (error instanceof SignedOutError) {
      location.replace(accountPage('login'));
      return;
    }
    const { renderStartFailure } = await import('./start-failure.tsx');
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
