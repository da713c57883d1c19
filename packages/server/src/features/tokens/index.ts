export type { MintedToken } from './token.ts';
export { type AuthenticationResult, TokenAuthenticator } from './token-authenticator.ts';
export { tokenRoutes } from './token-routes.ts';
export { TokenService } from './token-service.ts';
