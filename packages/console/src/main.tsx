import './app/mantine.css';
import './app/global.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { PAGES } from './app/pages.ts';
import { preloadPages } from './app/preload-pages.ts';
import {
  accountPage,
  exchangeSession,
  SignedOutError,
  tenantOfAddress,
  tenantPath,
} from './session/index.ts';

const exchange = exchangeSession();
exchange.catch(() => {});

await start();

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  try {
    const session = await exchange;
    if (tenantOfAddress() === undefined) history.replaceState(null, '', `${tenantPath(session.tenant.id)}/`);
    createRoot(root).render(<App session={session} />);
    preloadPages(PAGES.filter(({ scope }) => session.scopes.includes(scope)));
  } catch (error) {
    if (error instanceof SignedOutError) {
      location.replace(accountPage('login'));
      return;
    }
    const { StartFailure } = await import('./app/start-failure.tsx');
    createRoot(root).render(<StartFailure error={error} />);
  }
}
