export { OpenIdProviders } from './openid-provider.ts';
