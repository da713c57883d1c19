import { SCOPES, type Scope } from '@tps/contract';
import { authorize, FormBrowser, signIn } from '@tps/testing/browser';
import { createPerson, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { authorizationUrl, REDIRECT_URI } from '../provider/testing/code-grant.ts';
import { createClient } from '../provider/testing/oauth-requests.ts';

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });
const HOUR_MS = 3_600_000;

/** A person who has been signed in for some hours, and an application that asks for these scopes. */
async function open(scopes: readonly Scope[], isKnown: boolean) {
  const application = await createClient(service, {
    grant_types: ['authorization_code'],
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
    scopes,
  });
  const here = new FormBrowser(service.baseUrl);
  const person = await createPerson(service, { role: 'admin' });
  await signIn(here, person);
  const ask = () => authorizationUrl(service, application, { scope: scopes.join(' ') }).address;
  if (isKnown) await authorize(here, ask());
  clock.advance(11 * HOUR_MS);
  return { here, person, ask };
}

test.each([
  ['is new', false],
  ['was allowed before', true],
])(
  'a person proves who they are before an application that %s can change who has access',
  async (_what, isKnown) => {
    const { here, person, ask } = await open(SCOPES, isKnown);
    const page = await here.open(ask());
    expect(page.url.pathname).toBe('/auth/confirm');
    clock.set(Date.now());
    const consent = await here.submit(page, { password: person.password });
    expect(consent.title).toMatch(/^Allow /);
  },
);

test('a person who signed in long ago can allow an application to read', async () => {
  const { here, ask } = await open(['events:read'], false);
  const { searchParams } = await authorize(here, ask());
  expect(searchParams.get('code')).toEqual(expect.any(String));
});
