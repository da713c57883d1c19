export { DeviceCredentials, refuseWiderDevices } from './device-credentials.ts';
export * as issuedTokenStore from './issued-token-store.ts';
export { endOfAuthority, type MintedToken, type TokenRecord } from './token.ts';
export { type AuthenticationResult, TokenAuthenticator } from './token-authenticator.ts';
export { enrolmentHoldings, tokenHoldings } from './token-holdings.ts';
export * as tokenStore from './token-store.ts';
export { digestOfToken } from './token-store.ts';
