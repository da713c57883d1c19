import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Html, html } from '../../../platform/web/html.ts';
import {
  toRedirect,
  type WebReply,
  type WebRequest,
  type WebRoute,
  webRoute,
} from '../../../platform/web/web-route.ts';
import { appendAccountEntry } from '../account-audit.ts';
import type { AccountService } from '../account-service.ts';
import type { AccountSession } from '../sessions/account-session.ts';
import { type AccountSessions, removedSessionCookie } from '../sessions/account-sessions.ts';
import { requireOwnSession } from '../sessions/require-session.ts';
import { accountPage, actionForm, timeText, toDone } from './account-page.ts';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: AccountSessions;
  readonly accounts: AccountService;
}

const PATH = '/account/sessions';

/** The browsers in which a person is signed in. Ending one needs no second proof: it only takes access away. */
export function sessionsRoutes(parts: Parts): WebRoute[] {
  const { sessions } = parts;
  return [
    webRoute('GET', PATH, (request) =>
      requireOwnSession(sessions, request, async (session) => {
        const rows = (await sessions.list(session.accountId)).map((one) =>
          sessionRow(request, one, { isThis: one.sessionId === session.sessionId }),
        );
        const body = html`<table>
<thead><tr><th scope="col">Browser</th><th scope="col">Signed in</th><th scope="col">Last seen</th><th scope="col">End</th></tr></thead>
<tbody>
${rows}</tbody></table>
${rows.length > 1 && actionForm(request, { path: PATH, action: 'end_others', label: 'Sign out all other browsers', style: 'plain' })}
${actionForm(request, { path: PATH, action: 'end_all', label: 'Sign out everywhere', style: 'danger' })}`;
        return accountPage(request, { path: PATH, body });
      }),
    ),
    webRoute('POST', PATH, (request) =>
      requireOwnSession(sessions, request, (session) => act(request, { session, ...parts })),
    ),
  ];
}

async function act(
  request: WebRequest,
  { session, ...parts }: Parts & { session: AccountSession },
): Promise<WebReply> {
  switch (request.form.get('action')) {
    case 'end': {
      const sessionId = (request.form.get('session_id') ?? '').slice(0, 64);
      await parts.database.transaction((tx) => end(tx, request, { session, sessionId, ...parts }));
      return toDone(request, PATH, 'session_ended');
    }
    case 'end_others':
      await parts.database.transaction((tx) => endAll(tx, request, { session, keep: session, ...parts }));
      return toDone(request, PATH, 'sessions_ended');
    case 'end_all':
      await parts.database.transaction((tx) => endAll(tx, request, { session, ...parts }));
      return toRedirect(request.site.path('/login'), { cookies: [removedSessionCookie(request.site)] });
    default:
      return toRedirect(request.site.path(PATH));
  }
}

type Change = Parts & { readonly session: AccountSession };

async function end(
  tx: Queries,
  { requestId }: WebRequest,
  { session: { accountId }, sessionId, sessions, clock }: Change & { sessionId: string },
): Promise<void> {
  if (!(await sessions.endById(tx, accountId, sessionId))) return;
  const entry = {
    accountId,
    action: 'account.session_ended',
    detail: 'Session ended from the list',
    requestId,
  };
  await appendAccountEntry(tx, { ...entry, fields: { session_id: sessionId } }, clock.now());
}

/** Also ends sign-ins and resets that have begun: a thief may have begun them. */
async function endAll(
  tx: Queries,
  { requestId }: WebRequest,
  { session: { accountId }, keep, accounts, clock }: Change & { keep?: AccountSession },
): Promise<void> {
  const ended = await accounts.endOthers(tx, accountId, { keep });
  const detail = keep ? 'All other sessions ended' : 'All sessions ended';
  const entry = { accountId, action: 'account.session_ended', detail, requestId };
  await appendAccountEntry(tx, { ...entry, fields: { sessions_ended: ended } }, clock.now());
}

function sessionRow(request: WebRequest, session: AccountSession, { isThis }: { isThis: boolean }): Html {
  const browser = describeBrowser(session.userAgent);
  return html`<tr><td>${browser}${isThis && html` <strong>(this browser)</strong>`}<br><small>${session.address}</small></td>
<td>${timeText(session.createdAtMs)}<br><small>${session.methods.join(', ')}</small></td>
<td>${timeText(session.seenAtMs)}</td>
<td>${actionForm(request, {
    path: PATH,
    action: 'end',
    label: 'Sign out',
    about: `${browser} at ${session.address}`,
    style: 'plain',
    fields: { session_id: session.sessionId },
  })}</td></tr>
`;
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns a short name of a browser, or the text that it sent. */
function describeBrowser(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (userAgent.slice(0, 60) || 'Unknown browser');
}
