import { SCOPES } from '@tps/contract';
import { FormBrowser, signIn } from '@tps/testing/browser';
import { createPerson, type TestPerson, useTestService } from '@tps/testing/service';
import { countWaiting } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { COMMAND_LINE } from '../../audit/index.ts';
import { openChange } from '../../authority/testing/open-change.ts';
import { openConsole } from '../../sign-on/testing/sign-on-scene.ts';
import type { AccountId } from '../account.ts';
import { setDisabled } from '../set-disabled.ts';

const running = useTestService();
const PASSWORD = 'another long password of the person';

interface Scene {
  readonly person: TestPerson;
  /** Has a token of the console, with which a change is open. */
  readonly here: FormBrowser;
  readonly there: FormBrowser;
}

/** Prepares what ends the session, and returns the act. */
type End = (scene: Scene) => Promise<() => Promise<unknown>>;

const ENDS: Readonly<Record<string, End>> = {
  'signing out': async ({ here }) => {
    const page = await here.open('/auth/logout');
    return () => here.submit(page);
  },
  'signing out all other browsers': async ({ there }) => {
    const { forms } = await there.open('/auth/account/sessions');
    const form = forms.find(({ fields }) => fields.some(([, value]) => value === 'end_others'));
    const body = Object.fromEntries(form?.fields ?? []);
    return () => there.post('/auth/account/sessions', body);
  },
  'another password': async ({ there }) => {
    const page = await there.open('/auth/account/password');
    return () => there.submit(page, { password: PASSWORD });
  },
  'the deletion of the account': async ({ here, person }) => {
    const page = await here.open('/auth/account/delete');
    return () => here.submit(page, { email: person.email });
  },
  'the operator who disables the account': async ({ person }) => {
    const { database } = running.service;
    const how = { isDisabled: true, actor: COMMAND_LINE, nowMs: Date.now() };
    return () => database.transaction((tx) => setDisabled(tx, person.accountId as AccountId, how));
  },
};

/** Begins a change with the token that the console has got for the browser. */
async function open({ person, here }: Pick<Scene, 'person' | 'here'>) {
  await openConsole(running, here);
  const { db } = running.service.database.read;
  const tokens = db.selectFrom('tokens').select('token_id').where('account_id', '=', person.accountId);
  const { token_id: tokenId } = await tokens.executeTakeFirstOrThrow();
  const tenantId = running.tenant.tenantId as TenantId;
  const caller = { tokenId, tenantId, scopes: SCOPES, expiresAtMs: null };
  return openChange(running.service.database, { caller, tenantId, requestId: 'req_x' } as AdmittedRequest);
}

test.runIf(process.env.TEST_STORE === 'postgres').each(Object.entries(ENDS))(
  '%s waits for the open changes of the console',
  async (_what, prepare) => {
    await createPerson(running, { role: 'admin' });
    const person = await createPerson(running, { role: 'admin' });
    const [here, there] = [new FormBrowser(running.baseUrl), new FormBrowser(running.baseUrl)];
    for (const browser of [here, there]) await signIn(browser, person);
    const act = await prepare({ person, here, there });
    const change = await open({ person, here });
    onTestFinished(change.end);
    let isDone = false;
    const acted = act().finally(() => {
      isDone = true;
    });
    await waitUntil(async () => isDone || (await countWaiting(running.service.database.read)) > 0);
    expect(isDone).toBe(false);
    change.end();
    await change.committed;
    await acted;
  },
);
