export { signOnHoldings } from './sign-on-holdings.ts';
export * as signOnIdentityStore from './sign-on-identity-store.ts';
export { signOnAlternative } from './sign-on-page-routes.ts';
export { findUnreadableSignOn, rewrapSignOnSecrets } from './stored-secrets.ts';
