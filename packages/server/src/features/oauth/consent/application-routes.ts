import type { TenantId } from '../../../platform/tenant-id.ts';
import { type Html, html } from '../../../platform/web/html.ts';
import { toRedirect, type WebRequest, type WebRoute, webRoute } from '../../../platform/web/web-route.ts';
import {
  type AccountSessions,
  accountPage,
  actionForm,
  requireSession,
  timeText,
} from '../../accounts/index.ts';
import { hostOf } from './consent-page.ts';
import type { AllowedApplication, ConsentService } from './consent-service.ts';

const PAGE = '/account/applications';

/** The page on which a person sees what they have allowed, and withdraws it. */
export function applicationRoutes({
  sessions,
  consents,
}: {
  sessions: AccountSessions;
  consents: ConsentService;
}): WebRoute[] {
  return [
    webRoute('GET', PAGE, (request) =>
      requireSession(sessions, request, async (session) => {
        const applications = await consents.list(session);
        const body =
          applications.length > 0
            ? html`${applications.map((application) => applicationSection(request, application))}`
            : html`<p>You have not allowed any application to act for you.</p>`;
        return accountPage(request, { path: PAGE, body });
      }),
    ),

    webRoute('POST', PAGE, (request) =>
      requireSession(sessions, request, async (session) => {
        const tenantId = (request.form.get('tenant') ?? '') as TenantId;
        const clientId = request.form.get('client') ?? '';
        await consents.withdraw(session, { tenantId, clientId, requestId: request.requestId });
        return toRedirect(request.site.path(PAGE));
      }),
    ),
  ];
}

function applicationSection(request: WebRequest, application: AllowedApplication): Html {
  const { name, uri, tenantId, tenantName, clientId, scopes, grantedAtMs, ending } = application;
  return html`<section>
<h2>${name}</h2>
<p>${uri !== null && html`${hostOf(uri)}, `}in ${tenantName}, allowed on ${timeText(grantedAtMs)}</p>
<p class="note">${scopes.join(', ')}</p>
${
  ending.length > 0 &&
  html`<p>It has set up the following for you. All of it ends when you withdraw access, unless an admin adopts it first:</p>
<ul>${ending.map((one) => html`<li>${one}</li>`)}</ul>`
}
${actionForm(request, {
  path: PAGE,
  action: 'withdraw',
  label: 'Withdraw access',
  about: name,
  style: 'danger',
  fields: { tenant: tenantId, client: clientId },
})}
</section>`;
}
