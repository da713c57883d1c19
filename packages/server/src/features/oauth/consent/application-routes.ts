import type { TenantId } from '../../../platform/tenant-id.ts';
import { formTokenField } from '../../../platform/web/form-token.ts';
import { html } from '../../../platform/web/html.ts';
import { toPage, toRedirect, type WebRoute, webRoute } from '../../../platform/web/web-route.ts';
import { type AccountSessions, requireSession } from '../../accounts/index.ts';
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
      requireSession(sessions, request, async ({ accountId }) => {
        const applications = await consents.list(accountId);
        const rows = applications.map(
          (application) => html`<section>${describe(application)}
<form method="post" action="${request.site.path(PAGE)}">
${formTokenField(request)}
<input type="hidden" name="tenant" value="${application.tenantId}">
<input type="hidden" name="client" value="${application.clientId}">
<button class="danger">Withdraw access of ${application.name}</button>
</form></section>`,
        );
        const none = html`<p>You have not allowed any application to act for you.</p>`;
        return toPage(
          'Applications',
          html`${rows.length > 0 ? rows : none}<p><a href="${request.site.path('/account')}">Your account</a></p>`,
        );
      }),
    ),

    webRoute('POST', PAGE, (request) =>
      requireSession(sessions, request, async ({ accountId }) => {
        const tenantId = (request.form.get('tenant') ?? '') as TenantId;
        const clientId = request.form.get('client') ?? '';
        await consents.withdraw({ tenantId, accountId, clientId }, request.requestId);
        return toRedirect(request.site.path(PAGE));
      }),
    ),
  ];
}

function describe({ name, uri, tenantName, scopes, grantedAtMs }: AllowedApplication) {
  return html`
<h2>${name}</h2>
<p>${uri !== null && html`${hostOf(uri)}, `}in ${tenantName}, allowed on ${new Date(grantedAtMs).toISOString().slice(0, 10)}</p>
<p class="note">${scopes.join(', ')}</p>`;
}
