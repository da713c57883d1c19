import type { Configuration } from 'oidc-provider';
import type { WebSite } from '../../../platform/web/web-route.ts';
import { accountSessionOf } from './account-in-provider.ts';
import type { ConsentService } from './consent-service.ts';
import { errorPage } from './error-page.ts';
import { readAskedAccess, saveGrant } from './grant.ts';

/** Where a code is issued, as the provider names its endpoints. */
const ROUTES = ['authorization', 'resume'];

/** The settings of the provider that decide what people are asked, and what they see. */
export function consentSettings({ site, consents }: { site: WebSite; consents: ConsentService }) {
  const renderError = errorPage(site);
  return {
    interactions: { url: (_ctx, interaction) => site.path(`/interaction/${interaction.uid}`) },
    // What a person has allowed an application lasts until they withdraw it, not until they sign out.
    expiresWithSession: () => false,
    renderError,
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
