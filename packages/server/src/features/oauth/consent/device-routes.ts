import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { notFound } from '../../../platform/service-error.ts';
import { html } from '../../../platform/web/html.ts';
import {
  toPage,
  toRedirect,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../../platform/web/web-route.ts';
import { type AccountSession, type LoginThrottle, requireSession } from '../../accounts/index.ts';
import { referencesOf } from './account-in-provider.ts';
import { canAllow, consentForm, consentTitle, readAnswer, refusalForm } from './consent-page.ts';
import { codePage, decidedPage, deviceOrigin } from './device-page.ts';
import { type DeviceDecision, type DeviceRequest, decide, findUndecided } from './device-request-store.ts';
import { readAskedAccess, saveGrant } from './grant.ts';
import type { ConsentParts } from './interaction-routes.ts';
import { givenBy } from './scope-decision.ts';

type DeviceParts = ConsentParts & {
  readonly database: Database;
  readonly clock: Clock;
  readonly throttle: LoginThrottle;
};

/** A form that names the code of a device. */
interface DeviceVisit {
  readonly request: WebRequest;
  readonly session: AccountSession;
  readonly userCode: string;
  readonly device: DeviceRequest;
}

const UNKNOWN = 'This code is wrong, was used, or has expired. Compare it with the code on the device.';

/**
 * Pages on which a person allows a device without a browser to act (RFC 8628). They replace those of the provider: one
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
        request.form.has('decision') ? decideRequest(parts, visit) : ask(parts, visit),
      ),
    ),
    // The provider has pages at these addresses, which ours replace.
    webRoute('GET', '/device/:page', async () => {
      throw notFound('page');
    }),
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
    const userCode = normalize(request.form.get('user_code'));
    if (!attempt.allowed) {
      const { retryAfterSeconds } = attempt;
      const problem = `Too many attempts. Try again in ${retryAfterSeconds} seconds.`;
      const headers = { 'retry-after': String(retryAfterSeconds) };
      return { ...codePage(request, { code: userCode, problem }), status: 429, headers };
    }
    const device =
      userCode === '' ? undefined : await findUndecided(parts.database.read, userCode, parts.clock.now());
    if (!device) return unknownCode(request, userCode);
    await parts.database.transaction((tx) => parts.throttle.succeed(tx, attempt));
    return handle({ request, session, userCode, device });
  });
}

async function ask(parts: DeviceParts, visit: DeviceVisit): Promise<WebReply> {
  const { request, session, userCode, device } = visit;
  const { asked } = readAskedAccess(device.params);
  const review = await parts.consents.review({ session, clientId: device.clientId, asked });
  if (!review) return unknownCode(request, userCode);
  if (review.needsProof) return toRedirect(confirmingFirst(request, userCode));
  const page = {
    request,
    review,
    action: request.site.path('/device'),
    email: await parts.emailOf(session.accountId),
    origin: deviceOrigin(toShown(userCode), device.deviceInfo),
    hidden: html`<input type="hidden" name="user_code" value="${userCode}">`,
  };
  return canAllow(review)
    ? toPage(consentTitle(review.client), consentForm(page))
    : toPage('This cannot be allowed', refusalForm(page), { status: 403 });
}

async function decideRequest(parts: DeviceParts, visit: DeviceVisit): Promise<WebReply> {
  const { request, session, userCode, device } = visit;
  if (request.form.get('decision') !== 'allow') {
    return store(parts, visit, { error: 'access_denied', errorDescription: 'the person did not allow it' });
  }
  const { asked, resource } = readAskedAccess(device.params);
  const allowed = await parts.consents.allow(
    { session, clientId: device.clientId, asked },
    readAnswer(request),
  );
  // Something has ended or changed since the page was shown, or no tenant was chosen. The page says what is possible now.
  if (!allowed) return ask(parts, { request, session, userCode, device });
  await saveGrant(await parts.provider(), allowed, resource);
  const { accountId, grantId, decision } = allowed;
  return store(parts, visit, {
    ...{ accountId, grantId, resource },
    scope: givenBy(decision).join(' '),
    authTime: Math.floor(session.authenticatedAtMs / 1000),
    amr: referencesOf(session.methods),
  });
}

async function store(
  { database }: DeviceParts,
  { request, userCode, device }: DeviceVisit,
  decision: DeviceDecision,
): Promise<WebReply> {
  const isStored = await database.transaction((tx) => decide(tx, device, decision));
  return isStored ? decidedPage('grantId' in decision) : unknownCode(request, userCode);
}

function unknownCode(request: WebRequest, code: string): WebReply {
  return codePage(request, { code, problem: UNKNOWN });
}

/** Returns the address of the page that asks who the person is, and then leads back with the code. */
function confirmingFirst({ site }: WebRequest, userCode: string): string {
  const back = `${site.path('/device')}?${new URLSearchParams({ user_code: userCode })}`;
  return `${site.path('/confirm')}?${new URLSearchParams({ return_to: back })}`;
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
