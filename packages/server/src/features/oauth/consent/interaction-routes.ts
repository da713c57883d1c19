import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import { type Html, html } from '../../../platform/web/html.ts';
import {
  toPage,
  toRedirect,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../../platform/web/web-route.ts';
import type { AccountSession, AccountSessions } from '../../accounts/index.ts';
import { canAllow, consentForm, consentTitle, hostOf, readAnswer, refusalForm } from './consent-page.ts';
import type { ConsentService } from './consent-service.ts';
import { readAskedAccess, saveGrant } from './grant.ts';
import { repeatRoute } from './repeat-request.ts';

export interface ConsentParts {
  /** The provider is loaded when it is first needed. */
  readonly provider: () => Promise<Provider>;
  readonly sessions: AccountSessions;
  readonly consents: ConsentService;
  /** Returns the address of a person, to show who is signed in. */
  readonly emailOf: (accountId: AccountSession['accountId']) => Promise<Html | undefined>;
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** Where an interaction keeps which session the browser had when it began. */
const SESSION_BEFORE = 'session_before';
const NO_SESSION = 'none';

/** What a request to an interaction is about. */
interface Visit {
  readonly request: WebRequest;
  readonly provider: Provider;
  readonly interaction: Interaction;
}

/** Pages between an authorization request and its answer: they make sure who the person is, and ask for consent. */
export function interactionRoutes(parts: ConsentParts): WebRoute[] {
  return [
    webRoute('GET', '/interaction/:uid', (request) =>
      withInteraction(parts, request, (visit) =>
        visit.interaction.prompt.name === 'login' ? identify(parts, visit) : askConsent(parts, visit),
      ),
    ),
    webRoute('POST', '/interaction/:uid', (request) =>
      withInteraction(parts, request, (visit) => decide(parts, visit)),
    ),
    repeatRoute(),
  ];
}

/**
 * Finds the interaction that this browser has begun. The cookie binds it to the browser; the address has to name the same one.
 */
async function withInteraction(
  parts: ConsentParts,
  request: WebRequest,
  handle: (visit: Visit) => Promise<WebReply>,
): Promise<WebReply> {
  const provider = await parts.provider();
  const { request: raw, response } = request.raw;
  const interaction = await provider.interactionDetails(raw, response).catch((error: unknown) => {
    if (isSessionNotFound(error)) return undefined;
    throw error;
  });
  if (!interaction || interaction.uid !== request.params.uid) return expiredPage();
  return handle({ request, provider, interaction });
}

/** Continues when the person is signed in as the request requires it, and leads to the sign-in page otherwise. */
async function identify({ sessions }: ConsentParts, visit: Visit): Promise<WebReply> {
  const { request, interaction } = visit;
  const session = await sessions.find(request);
  const { reasons } = interaction.prompt;
  // `prompt=login` and `max_age` ask for a proof that is newer than the request. Each proof begins a session.
  const needsProof = reasons.some((reason) => reason === 'login_prompt' || reason === 'max_age');
  const before = interaction.result?.[SESSION_BEFORE];
  if (needsProof && before === undefined) {
    await finish(visit, { [SESSION_BEFORE]: session?.sessionHash ?? NO_SESSION });
  }
  if (!session) return toRedirect(leadingBack(request, '/login', interaction.params.login_hint));
  if (needsProof && (before === undefined || before === session.sessionHash)) {
    return toRedirect(leadingBack(request, '/confirm'));
  }
  const isOther = reasons.some(
    (reason) => reason === 'id_token_hint' || reason === 'claims_id_token_sub_value',
  );
  await finish(
    visit,
    isOther
      ? { error: 'login_required', error_description: 'another person is signed in' }
      : { login: { accountId: session.accountId, ts: Math.floor(session.authenticatedAtMs / 1000) } },
  );
  // Not a redirect: the policy of the sign-in form would have to allow it, and that page does not know the client's address.
  const next = resumePath(visit);
  return toPage('You are signed in', html`<p><a href="${next}">Continue</a></p>`, {
    headers: { refresh: `0; url=${next}` },
  });
}

async function askConsent(parts: ConsentParts, visit: Visit): Promise<WebReply> {
  const { request, interaction } = visit;
  const session = await parts.sessions.find(request);
  if (!session) return toRedirect(leadingBack(request, '/login'));
  if (session.accountId !== interaction.session?.accountId) return expiredPage();
  const { client_id: clientId, redirect_uri: redirectUri } = interaction.params;
  const { asked } = readAskedAccess(interaction.params);
  const review = await parts.consents.review({ session, clientId: String(clientId), asked });
  if (!review) return expiredPage();
  if (review.needsProof) return toRedirect(leadingBack(request, '/confirm'));
  const target = String(redirectUri);
  const page = {
    request,
    review,
    action: request.site.path(request.path),
    email: await parts.emailOf(session.accountId),
    origin: html`<p>Your browser then returns to <strong>${hostOf(target)}</strong>.</p>`,
  };
  const formTargets = [originOf(target)];
  return canAllow(review)
    ? toPage(consentTitle(review.client), consentForm(page), { formTargets })
    : toPage('This cannot be allowed', refusalForm(page), { status: 403, formTargets });
}

async function decide(parts: ConsentParts, visit: Visit): Promise<WebReply> {
  const { request, interaction, provider } = visit;
  const session = await parts.sessions.find(request);
  const isAsked =
    interaction.prompt.name === 'consent' && session?.accountId === interaction.session?.accountId;
  if (!session || !isAsked) return expiredPage();
  // Sent twice, such as by a double click: the first answer counts.
  if (interaction.result?.consent || interaction.result?.error) return toRedirect(resumePath(visit));
  if (request.form.get('decision') !== 'allow') {
    await finish(visit, { error: 'access_denied', error_description: 'the person did not allow it' });
    return toRedirect(resumePath(visit));
  }
  const { asked, resource } = readAskedAccess(interaction.params);
  const allowed = await parts.consents.allow(
    { session, clientId: String(interaction.params.client_id), asked },
    readAnswer(request),
  );
  // Something has ended or changed since the page was shown. The page says what is possible now.
  if (!allowed) return askConsent(parts, visit);
  await saveGrant(provider, allowed, resource);
  await finish(visit, { consent: { grantId: allowed.grantId } });
  return toRedirect(resumePath(visit));
}

/** Stores the outcome, which the provider reads when the browser comes back to it. */
async function finish({ provider, request }: Visit, result: InteractionResults): Promise<void> {
  await provider.interactionResult(request.raw.request, request.raw.response, result);
}

/** Where the provider continues. */
function resumePath({ request, interaction }: Visit): string {
  return request.site.path(`/authorize/${interaction.uid}`);
}

function leadingBack({ site, path }: WebRequest, page: string, loginHint?: unknown): string {
  const query = new URLSearchParams({ return_to: site.path(path) });
  if (typeof loginHint === 'string') query.set('login_hint', loginHint);
  return `${site.path(page)}?${query}`;
}

/** The origin of a client's address; the scheme of an application that has no origin. */
function originOf(address: string): string {
  const { origin, protocol } = new URL(address);
  return origin === 'null' ? protocol : origin;
}

function expiredPage(): WebReply {
  const text = html`<p>This request has expired, or began in another browser. Go back to the application and start again.</p>`;
  return toPage('Start again', text, { status: 400 });
}

/** Errors of the provider have this shape; its classes are not imported, because it is loaded late. */
function isSessionNotFound(error: unknown): boolean {
  return error instanceof Error && error.name === 'SessionNotFound';
}
