import type { TenantId } from '../../platform/tenant-id.ts';
import { formTokenField } from '../../platform/web/form-token.ts';
import { type Html, html } from '../../platform/web/html.ts';
import { toReturnPath } from '../../platform/web/return-path.ts';
import {
  toPage,
  toRedirect,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../platform/web/web-route.ts';
import {
  type AccountSession,
  type AccountSessions,
  endedText,
  signOnPath,
  toEmailKey,
} from '../accounts/index.ts';
import { ProviderError } from './openid-provider.ts';
import type { SignOnFlow, SignOnOutcome } from './sign-on-flow.ts';
import { domainOf } from './sign-on-provider.ts';
import { REFUSAL_TEXTS } from './sign-on-refusal.ts';

interface Parts {
  readonly flow: SignOnFlow;
  readonly sessions: AccountSessions;
}

const TITLE = 'Single sign-on';
const MAX_INPUT_LENGTH = 254;

/** The pages between the sign-in page and the provider of a tenant. */
export function signOnPageRoutes({ flow, sessions }: Parts): WebRoute[] {
  return [
    webRoute('GET', '/sign-on/start', async (request) =>
      startPage(flow, request, await sessions.find(request)),
    ),
    webRoute('POST', '/sign-on/start', async (request) => {
      const { form, site } = request;
      const returnTo = toReturnPath(site, form.get('return_to'));
      const email = form.get('email');
      if (email !== null) return leadByEmail(flow, request, { email, returnTo });
      const isConfirmation = form.get('confirm') === 'yes';
      const session = isConfirmation ? await sessions.find(request) : undefined;
      if (isConfirmation && !session?.tenantId) return toRedirect(site.path('/login'));
      const tenantId = session?.tenantId ?? toTenantId(form.get('tenant'));
      return leave(flow, request, { tenantId, returnTo, session });
    }),
    webRoute('GET', '/sign-on/callback', async (request) => {
      const outcome = await flow.complete(request);
      if (outcome.kind === 'signed_in') return enter(outcome);
      return refusalPage(request, outcome, await sessions.find(request));
    }),
  ];
}

/** The link below the password on the sign-in page, and the button of the page that asks again who the person is. */
export async function signOnAlternative(
  request: WebRequest,
  { returnTo, session }: { returnTo: string; session?: AccountSession },
): Promise<Html | undefined> {
  const { site } = request;
  if (!session) {
    return html`<p><a href="${signOnPath(site, { returnTo })}">Single sign-on</a></p>`;
  }
  if (session.tenantId === null) return undefined;
  const fields = { confirm: 'yes', return_to: returnTo };
  return startForm(request, { fields, submit: 'Confirm at your organization' });
}

/** Continues, after the page about what has ended if the provider was the first to prove the address of the account. */
function enter({ cookies, returnTo, ended }: Extract<SignOnOutcome, { kind: 'signed_in' }>): WebReply {
  if (!ended) return toRedirect(returnTo, { cookies });
  const body = html`${endedText(ended)}
<p><a href="${returnTo}">Continue</a></p>`;
  return toPage('You are signed in', body, { cookies });
}

/** Asks for the address, or says which provider comes next. */
async function startPage(
  flow: SignOnFlow,
  request: WebRequest,
  session: AccountSession | undefined,
): Promise<WebReply> {
  const returnTo = toReturnPath(request.site, request.query.get('return_to'));
  const tenant = request.query.get('tenant');
  if (tenant === null) return addressPage(request, { returnTo });
  const tenantId = toTenantId(tenant);
  const provider = await flow.findProvider(tenantId);
  if (!provider) return unknownPage(request);
  const fields = { tenant: tenantId, return_to: returnTo };
  const host = html`<strong>${new URL(provider.issuer).host}</strong>`;
  // The link is made without another question when the browser comes back.
  const links = session?.tenantId === null;
  return toPage(
    TITLE,
    html`<p>You sign in at ${host}.</p>
${links && html`<p>If your account here is not linked to ${host} yet, this links it. Afterwards, a sign-in there opens the tenant as you.</p>`}
${startForm(request, { fields, submit: links ? 'Link and continue' : 'Continue' })}`,
  );
}

/** Finds the provider by the domain alone: the response does not depend on whether an account exists. */
async function leadByEmail(
  flow: SignOnFlow,
  request: WebRequest,
  { email, returnTo }: { email: string; returnTo: string },
): Promise<WebReply> {
  const domain = domainOf(toEmailKey(email.slice(0, MAX_INPUT_LENGTH)));
  const tenantId = domain === undefined ? undefined : await flow.findTenant(domain);
  if (tenantId === undefined) {
    const problem =
      'No organization uses single sign-on for this address, or several do. Use the link of your organization, or your password.';
    return addressPage(request, { returnTo, problem });
  }
  return toRedirect(signOnPath(request.site, { tenantId, returnTo }));
}

/**
 * Sends the browser to the provider by a page with a refresh. A redirect would not do: Chromium applies the
 * `form-action` of the page with the form to each address that the provider redirects to, and these are not known.
 */
async function leave(
  flow: SignOnFlow,
  request: WebRequest,
  wanted: { tenantId: TenantId; returnTo: string; session: AccountSession | undefined },
): Promise<WebReply> {
  const { tenantId, returnTo, session } = wanted;
  const provider = await flow.findProvider(tenantId);
  if (!provider) return unknownPage(request);
  try {
    const begun = { tenantId, provider, returnTo, ...(session && { confirms: session }) };
    const { href, host } = await flow.begin(request, begun);
    return toPage(TITLE, html`<p>You are being taken to <a href="${href}">${host}</a>.</p>`, {
      headers: { refresh: `0; url=${href}` },
    });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return refusalPage(request, { refusal: 'provider_failed', tenantId, returnTo }, undefined);
  }
}

function addressPage(
  request: WebRequest,
  { returnTo, problem }: { returnTo: string; problem?: string },
): WebReply {
  const body = html`${problem !== undefined && html`<p class="error" role="alert">${problem}</p>`}
<form method="post" action="${request.site.path('/sign-on/start')}">
${formTokenField(request)}
<input type="hidden" name="return_to" value="${returnTo}">
<p>
<label for="email">E-mail address at your organization</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="${MAX_INPUT_LENGTH}" required autofocus>
</p>
<button type="submit">Continue</button>
</form>`;
  return toPage(TITLE, body, { status: problem === undefined ? 200 : 404 });
}

function startForm(
  request: WebRequest,
  { fields, submit }: { fields: Readonly<Record<string, string>>; submit: string },
): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${request.site.path('/sign-on/start')}">
${formTokenField(request)}
${hidden}
<button type="submit">${submit}</button>
</form>`;
}

function unknownPage({ site }: WebRequest): WebReply {
  const body = html`<p>Single sign-on is not set up here. <a href="${site.path('/login')}">Sign in with a password</a>.</p>`;
  return toPage(TITLE, body, { status: 404 });
}

function refusalPage(
  { site }: WebRequest,
  {
    refusal,
    tenantId,
    returnTo,
  }: Pick<Extract<SignOnOutcome, { kind: 'refused' }>, 'refusal' | 'tenantId' | 'returnTo'>,
  session: AccountSession | undefined,
): WebReply {
  const start = signOnPath(site, { tenantId, returnTo });
  // Someone who is signed in with a password proves it again; everyone else signs in.
  const isOwn = session !== undefined && session.tenantId === null;
  const login = `${site.path(isOwn ? '/confirm' : '/login')}?${new URLSearchParams({ return_to: start })}`;
  const next =
    refusal === 'sign_in_first'
      ? html`<a href="${login}">Sign in to the account</a>`
      : html`<a href="${start}">Try again</a> or <a href="${site.path('/login')}">sign in another way</a>`;
  const body = html`<p class="error" role="alert">${REFUSAL_TEXTS[refusal]}</p>
<p>${next}</p>`;
  return toPage(TITLE, body, { status: refusal === 'provider_failed' ? 502 : 403 });
}

function toTenantId(text: string | null): TenantId {
  return (text ?? '').slice(0, MAX_INPUT_LENGTH) as TenantId;
}
