export { mustUseProvider } from './must-use-provider.ts';
export { OpenIdProviders } from './openid-provider.ts';
export { SignOnFlow } from './sign-on-flow.ts';
export { signOnAlternative } from './sign-on-page-routes.ts';
