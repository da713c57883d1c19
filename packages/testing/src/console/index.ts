export { type ExchangedSession, exchangeSession, startSession } from './console-session.ts';
export { type OpenConsoleOptions, type OpenedConsole, openConsole } from './open-console.ts';
export { rowIdsOf } from './row-ids.ts';
