export { DeviceCredentials, refuseWiderDevices } from './device-credentials.ts';
export * as issuedTokenStore from './issued-token-store.ts';
export { revokeCreatedBy } from './revoke-created-by.ts';
export { endOfAuthority, type MintedToken, type TokenRecord } from './token.ts';
export { type AuthenticationResult, TokenAuthenticator } from './token-authenticator.ts';
export * as tokenStore from './token-store.ts';
export { digestOfToken } from './token-store.ts';
