import type Provider from 'oidc-provider';
import type { Database } from '../../../database/index.ts';
import { html } from '../../../platform/web/html.ts';
import {
  toPage,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../../platform/web/web-route.ts';
import { type AccountSession, type LoginThrottle, requireSession } from '../../accounts/index.ts';
import { referencesOf } from './account-in-provider.ts';
import { canAllow, consentForm, consentTitle, refusalForm } from './consent-page.ts';
import type { AllowedAccess } from './consent-service.ts';
import { codePage, decidedPage, deviceOrigin } from './device-page.ts';
import { readAskedAccess, saveGrant } from './grant.ts';
import type { ConsentParts } from './interaction-routes.ts';
import { givenBy } from './scope-decision.ts';

type DeviceCode = NonNullable<Awaited<ReturnType<Provider['DeviceCode']['findByUserCode']>>>;
type DeviceParts = ConsentParts & { readonly throttle: LoginThrottle; readonly database: Database };

/** A request that names the code of a device. */
interface DeviceVisit {
  readonly request: WebRequest;
  readonly session: AccountSession;
  readonly provider: Provider;
  readonly code: DeviceCode;
}

const UNKNOWN = 'This code is not valid, or is not valid any more. Compare it with the device.';

/**
 * Pages on which a person lets a device act that cannot open a browser (RFC 8628). They replace those of the provider: one
 * form allows the device and stores the outcome, with no state in between.
 */
export function deviceRoutes(parts: DeviceParts): WebRoute[] {
  return [
    webRoute('GET', '/device', (request) =>
      requireSession(parts.sessions, request, async () =>
        codePage(request, { code: normalize(request.query.get('user_code')) }),
      ),
    ),
    webRoute('POST', '/device', (request) =>
      withCode(parts, request, (visit) =>
        request.form.has('decision') ? decide(parts, visit) : ask(parts, visit),
      ),
    ),
  ];
}

/** Finds the code of a form. Attempts are delayed by account and address, because a code is short. */
async function withCode(
  parts: DeviceParts,
  request: WebRequest,
  handle: (visit: DeviceVisit) => Promise<WebReply>,
): Promise<WebReply> {
  return requireSession(parts.sessions, request, async (session) => {
    const attempt = await parts.throttle.admit([
      { budget: 'code', value: `device ${session.accountId}` },
      { budget: 'address', value: request.peer },
    ]);
    const entered = normalize(request.form.get('user_code'));
    if (!attempt.allowed) {
      const { retryAfterSeconds } = attempt;
      const problem = `Too many attempts. Try again in ${retryAfterSeconds} seconds.`;
      const headers = { 'retry-after': String(retryAfterSeconds) };
      return { ...codePage(request, { code: entered, problem }), status: 429, headers };
    }
    const provider = await parts.provider();
    const code = entered === '' ? undefined : await provider.DeviceCode.findByUserCode(entered);
    // A decision is final.
    if (!code || code.accountId !== undefined || code.error !== undefined) {
      return codePage(request, { code: entered, problem: UNKNOWN });
    }
    await parts.database.transaction((tx) => parts.throttle.succeed(tx, attempt));
    return handle({ request, session, provider, code });
  });
}

async function ask(parts: DeviceParts, visit: DeviceVisit): Promise<WebReply> {
  const { request, session, code } = visit;
  const { asked } = readAskedAccess(code.params ?? {});
  const review = await parts.consents.review({ session, clientId: String(code.clientId), asked });
  if (!review) return codePage(request, { code: code.userCode, problem: UNKNOWN });
  const page = {
    request,
    review,
    action: request.site.path('/device'),
    email: await parts.emailOf(session.accountId),
    origin: deviceOrigin(toShown(code.userCode), code.deviceInfo ?? {}),
    hidden: html`<input type="hidden" name="user_code" value="${code.userCode}">`,
  };
  return canAllow(review)
    ? toPage(consentTitle(review.client), consentForm(page))
    : toPage('This cannot be allowed', refusalForm(page), { status: 403 });
}

async function decide(parts: DeviceParts, visit: DeviceVisit): Promise<WebReply> {
  const { request, session, provider, code } = visit;
  if (request.form.get('decision') !== 'allow') {
    code.error = 'access_denied';
    code.errorDescription = 'the person did not allow it';
    await code.save();
    return decidedPage(false);
  }
  const { asked, resource } = readAskedAccess(code.params ?? {});
  const allowed = await parts.consents.allow(
    { session, clientId: String(code.clientId), asked },
    { tenantId: request.form.get('tenant') ?? '', requestId: request.requestId },
  );
  // Something has ended since the page was shown, or no tenant was chosen. The page says what is possible now.
  if (!allowed) return ask(parts, visit);
  await saveGrant(provider, allowed, resource);
  await approve(visit, allowed, resource);
  return decidedPage(true);
}

/** Stores the decision with the code, where the next request of the device finds it. */
async function approve(
  { code, session }: DeviceVisit,
  { accountId, grantId, decision }: AllowedAccess,
  resource: string | undefined,
): Promise<void> {
  code.accountId = accountId;
  code.grantId = grantId;
  code.scope = givenBy(decision).join(' ');
  code.resource = resource;
  code.authTime = Math.floor(session.authenticatedAtMs / 1000);
  code.amr = referencesOf(session.methods);
  await code.save();
}

/** Codes are compared without hyphens, spaces and lower case. */
function normalize(code: string | null): string {
  return (code ?? '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 20);
}

/** The form in which a device shows a code. */
function toShown(code: string): string {
  return code.replace(/^(.{4})(.{4})$/, '$1-$2');
}
