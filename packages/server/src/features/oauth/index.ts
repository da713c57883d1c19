export { clientHoldings } from './clients/client-holdings.ts';
export * as consentStore from './consent/consent-store.ts';
export { endAccessOfMember } from './end-access.ts';
export { rewrapOauthKeys } from './provider/oauth-keys.ts';
export { ACCESS_TOKEN_S } from './provider/provider-settings.ts';
