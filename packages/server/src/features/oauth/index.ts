export { clientHoldings } from './clients/client-holdings.ts';
export * as consentStore from './consent/consent-store.ts';
export { endAccessOfConsent, endAccessOfMember } from './end-access.ts';
export { noteProof } from './provider/note-proof.ts';
export { rewrapOauthKeys } from './provider/oauth-keys.ts';
export { OauthServer } from './provider/oauth-server.ts';
export { ACCESS_TOKEN_S } from './provider/provider-settings.ts';
export { purgeOauth } from './provider/purge-oauth.ts';
