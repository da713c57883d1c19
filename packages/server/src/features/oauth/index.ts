export * as consentStore from './consent/consent-store.ts';
export { endAccessOfConsent, endAccessOfMember } from './end-access.ts';
export { noteProof } from './provider/note-proof.ts';
export { rewrapOauthKeys } from './provider/oauth-keys.ts';
export { OauthServer } from './provider/oauth-server.ts';
export { purgeOauth } from './provider/purge-oauth.ts';
