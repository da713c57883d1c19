import { authorize, FormBrowser, signIn } from '@tps/testing/browser';
import { TestApplication } from '@tps/testing/oauth';
import { createPerson, useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';

const service = useTestService();
/** On PostgreSQL, about one of three found a grant that stayed. */
const ROUNDS = 4;

interface Round {
  readonly application: TestApplication;
  /** The browser of the person, at the list of applications. */
  readonly browser: FormBrowser;
}

// On SQLite, transactions follow one another.
test.runIf(process.env.TEST_STORE === 'postgres').each<[string, (round: Round) => Promise<unknown>]>([
  [
    'withdraws the access of an application',
    async ({ browser }) =>
      browser.submit(await browser.open('/auth/account/applications'), {}, { button: 'Withdraw access' }),
  ],
  [
    'sees its address change',
    ({ application: { clientId } }) =>
      service.client.send('PATCH', `/oauth-clients/${clientId}`, {
        credential: service.tenant.credential,
        body: { redirect_uris: ['https://new.example/callback'] },
      }),
  ],
])('no grant begins while a person %s', async (_what, end) => {
  const left: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const application = await TestApplication.register(service, { name: 'Reports' });
    const person = await createPerson(service);
    const [browser, ...tabs] = [1, 2, 3].map(() => new FormBrowser(service.baseUrl));
    if (!browser) throw new Error('no browser');
    for (const each of [browser, ...tabs]) await signIn(each, person);
    await application.exchange(await authorize(browser, application.authorizationUrl()));
    let isOver = false;
    let codes = 0;
    const loops = tabs.map(async (tab) => {
      while (!isOver) {
        const { leftTo } = await tab.open(application.authorizationUrl({ prompt: 'none' }));
        if (leftTo?.searchParams.has('code')) codes += 1;
      }
    });
    await waitUntil(() => codes > 0);
    await end({ application, browser });
    isOver = true;
    await Promise.all(loops);
    left.push(...(await listLiveGrants(person.accountId)));
  }
  expect(left).toEqual([]);
});

async function listLiveGrants(accountId: string): Promise<string[]> {
  const grants = service.service.database.read.db
    .selectFrom('oauth_records')
    .select('record_hash')
    .where('model', '=', 'Grant')
    .where('account_id', '=', accountId)
    .where('expires_at', '>', Date.now());
  return (await grants.execute()).map(({ record_hash }) => record_hash);
}
