export { ConsoleFiles } from './console-files.ts';
export { type ConsolePage, toConsolePage, toMissingPage } from './console-page.ts';
export { type ConsoleSession, ConsoleSessions } from './console-sessions.ts';
