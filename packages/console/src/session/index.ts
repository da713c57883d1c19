export { claimStorage, clearStorage, onPersonChange } from './browser-storage.ts';
export {
  endSession,
  exchangeSession,
  type IssuedSession,
  NoAccessError,
  type Session,
  SignedOutError,
} from './exchange-session.ts';
export { SessionProvider, useCan, useClient, useSession } from './session-context.tsx';
export { sessionTokens } from './session-tokens.ts';
export {
  API_URL,
  accountPage,
  CONSOLE_PATH,
  pathBelowTenant,
  STYLE_NONCE,
  tenantOfAddress,
  tenantPath,
} from './site.ts';
