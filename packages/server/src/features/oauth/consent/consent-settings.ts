import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { pagePolicy } from '../../../platform/web/page-policy.ts';
import type { WebSite } from '../../../platform/web/web-route.ts';
import type { AccountSessions } from '../../accounts/index.ts';
import { accountSessionOf, followAccountSessions } from './account-in-provider.ts';
import type { ConsentService } from './consent-service.ts';
import { errorPage } from './error-page.ts';
import { readAskedAccess, saveGrant } from './grant.ts';
import { toSignIn } from './repeat-request.ts';

/** Where a code is issued, as the provider names its endpoints. */
const ROUTES = ['authorization', 'resume'];

/** The settings of the provider that decide what people are asked, and what they see. */
export function consentSettings({
  site,
  consents,
  tooLarge,
}: {
  site: WebSite;
  consents: ConsentService;
  tooLarge: () => Error;
}) {
  return {
    interactions: {
      url(ctx, { uid }) {
        // A request that is not stored is repeated after the sign-in. See the adapter.
        if (!isRepeated(ctx)) return site.path(`/interaction/${uid}`);
        const address = toSignIn(site, ctx);
        if (address === undefined) throw tooLarge();
        return address;
      },
    },
    // What a person has allowed an application lasts until they withdraw it, not until they sign out.
    expiresWithSession: () => false,
    renderError: errorPage(site),
    async loadExistingGrant(ctx) {
      const { provider, result, client, params = {}, route } = ctx.oidc;
      const grantId = result?.consent?.grantId;
      if (grantId !== undefined) return provider.Grant.find(grantId);
      const isToBeAsked = ctx.oidc.promptPending('consent') || ctx.oidc.promptPending('login');
      const session = accountSessionOf(ctx);
      if (isToBeAsked || !session || !client || !ROUTES.includes(route)) return undefined;
      const { asked, resource } = readAskedAccess(params);
      const request = { session, clientId: client.clientId, asked };
      const allowed = await consents.repeat(request, String(ctx.res.getHeader('x-request-id')));
      return allowed && saveGrant(provider, allowed, resource);
    },
  } satisfies Configuration;
}

/** Whether no one is signed in, and the address of the request has all of it. */
function isRepeated(ctx: KoaContextWithOIDC): boolean {
  return accountSessionOf(ctx) === undefined && ctx.oidc.entities.PushedAuthorizationRequest === undefined;
}

/** Changes how the provider handles sessions and pages, before it serves the first request. */
export function preparePages(
  provider: Provider,
  parts: { readonly sessions: AccountSessions; readonly site: WebSite },
): void {
  followAccountSessions(provider, parts);
  provider.use((ctx, next) => {
    // An answer as a form (`response_mode=form_post`) is a page whose script the provider adds to this policy.
    if (ctx.path.startsWith('/authorize')) ctx.set('content-security-policy', pagePolicy(['*']));
    return next();
  });
}
