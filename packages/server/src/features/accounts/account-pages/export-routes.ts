import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { form } from '../../../platform/web/form-parts.ts';
import { html } from '../../../platform/web/html.ts';
import { type WebReply, type WebRequest, type WebRoute, webRoute } from '../../../platform/web/web-route.ts';
import { appendAccountEntry } from '../account-audit.ts';
import type { SecondFactors } from '../second-factors/second-factors.ts';
import type { AccountSessions } from '../sessions/account-sessions.ts';
import { exportAccount } from './account-export.ts';
import { accountPage } from './account-page.ts';
import type { AccountTies } from './account-ties.ts';
import { forProvenPerson, type Person } from './person.ts';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: AccountSessions;
  readonly factors: SecondFactors;
  readonly ties: AccountTies;
}

const PATH = '/account/export';

/** Lets people download what the service keeps about them. */
export function exportRoutes(parts: Parts): WebRoute[] {
  return [
    webRoute('GET', PATH, (request) =>
      forProvenPerson(parts, request, async () => {
        const body = html`<p>Download the data that the service stores about you as a JSON file: your account, tenants, sessions, factors
without their secrets, and the audit entries about your account.</p>
${form(request, { page: PATH, body: [], submit: 'Download' })}`;
        return accountPage(request, { path: PATH, body });
      }),
    ),
    webRoute('POST', PATH, (request) =>
      forProvenPerson(parts, request, (person) => download(request, { ...parts, ...person })),
    ),
  ];
}

async function download({ requestId }: WebRequest, { account, ...parts }: Parts & Person): Promise<WebReply> {
  const { database, clock } = parts;
  const { accountId } = account;
  const data = await exportAccount(parts, account, clock.now());
  const entry = {
    accountId,
    action: 'account.exported',
    detail: 'Data of the account downloaded',
    requestId,
  };
  await database.transaction((tx) => appendAccountEntry(tx, entry, clock.now()));
  return {
    status: 200,
    body: { type: 'application/json; charset=utf-8', content: JSON.stringify(data, null, 2) },
    headers: { 'content-disposition': `attachment; filename="${accountId}.json"` },
  };
}
