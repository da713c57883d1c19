import './app/mantine.css';
import './app/global.css';
import { exchangeSession } from './session/index.ts';

// This file is small and comes first: it exchanges the session while everything else is on its way.
const session = exchangeSession();
session.catch(() => {});
// Not awaited: the others share a file with this one, and would wait for it.
void import('./app/start.ts').then(({ start }) => start(session));
