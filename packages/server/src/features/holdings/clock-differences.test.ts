import { SCOPES } from '@tps/contract';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HoldingScenes, PROGRAM, type Scene } from './testing/holding-scenes.ts';

/** One clock that moves between requests, as if two nodes had clocks that differ. */
const startMs = Date.now();
const clock = new ManualClock(startMs);
const service = useTestService({ env: WEBHOOK_ENV, clock });
const scenes = new HoldingScenes(service);
const LIFETIME_MS = 60_000;
const DIFFERENCE_MS = 4 * 60_000;
const ACCESS_TOKEN_MS = 3_600_000;
/** How long before it expires something is used at the node that is behind. */
const LEFT_MS = 1_000;

async function atNodeAhead<R>(work: () => Promise<R>): Promise<R> {
  clock.advance(DIFFERENCE_MS);
  try {
    return await work();
  } finally {
    clock.advance(-DIFFERENCE_MS);
  }
}

afterEach(() => clock.advance(startMs - clock.now()));

describe('the removal of a person at a node whose clock is ahead ends at the others', () => {
  let scene: Scene;
  let console: string;
  beforeEach(async () => {
    scene = await scenes.open();
    console = await scenes.console(scene);
  });

  const endsSoon = () => ({ expires_at: new Date(clock.now() + LIFETIME_MS).toISOString() });
  const statusOf = async (path: string) =>
    (await scenes.send(scene.tenant.credential, 'GET', path)).body.status;

  test('a token in its last second', async () => {
    const made = await scenes.create(console, '/tokens', { name: 'made', scopes: SCOPES, ...endsSoon() });
    clock.advance(LIFETIME_MS - LEFT_MS);
    await atNodeAhead(() => scenes.remove(scene));
    expect(await scenes.isAccepted(made.token ?? '')).toBe(false);
    const planted = await scenes.send(made.token ?? '', 'POST', '/invitations', { role: 'admin' });
    expect(planted.status).toBe(401);
  });

  test('an enrolment secret', async () => {
    const made = await scenes.create(console, '/enrolments', { name: 'made', ...endsSoon() });
    clock.advance(LIFETIME_MS - LEFT_MS);
    await atNodeAhead(() => scenes.remove(scene));
    expect(await statusOf(`/enrolments/${made.enrolment_id}`)).toBe('revoked');
  });

  test.each([
    ['an invitation by the person', false],
    ['an invitation of another admin to the person', true],
  ])('%s', async (_what, isToPerson) => {
    const { tenant, person } = scene;
    const wanted = { role: 'admin', expires_in_s: LIFETIME_MS / 1000 };
    const made = isToPerson
      ? await scenes.create(tenant.credential, '/invitations', { ...wanted, email: person.email })
      : await scenes.create(console, '/invitations', wanted);
    clock.advance(LIFETIME_MS - LEFT_MS);
    await atNodeAhead(() => scenes.remove(scene));
    expect(await statusOf(`/invitations/${made.invitation_id}`)).toBe('revoked');
  });

  test('the access token of an application', async () => {
    const withApplication = await scenes.addApplication(scene);
    const access = await scenes.throughApplication(withApplication);
    clock.advance(ACCESS_TOKEN_MS - LEFT_MS);
    expect(await scenes.isAccepted(access)).toBe(true);
    await atNodeAhead(() => scenes.remove(scene));
    expect(await scenes.isAccepted(access)).toBe(false);
  });
});

test('a token rolled without grace at a node whose clock is ahead is refused at the others', async () => {
  const scene = await scenes.open();
  const console = await scenes.console(scene);
  const made = await scenes.create(console, '/tokens', { name: 'leaked', scopes: SCOPES });
  const path = `/tokens/${made.token_id}/roll`;
  await atNodeAhead(() => scenes.send(console, 'POST', path, { grace_s: 0 }));
  expect(await scenes.isAccepted(made.token ?? '')).toBe(false);
});

test('a client that was deleted at a node whose clock is ahead sets up nothing at the others', async () => {
  const scene = await scenes.open();
  const program = await scenes.createToken(await scenes.console(scene));
  const client = await scenes.create(program, '/oauth-clients', PROGRAM);
  const access = await scenes.tokenOf(scene.tenant, client);
  clock.advance(ACCESS_TOKEN_MS - LEFT_MS);
  expect(await scenes.isAccepted(access)).toBe(true);
  await atNodeAhead(() => scenes.send(program, 'DELETE', `/oauth-clients/${client.client_id}`));
  const { status } = await scenes.send(access, 'POST', '/oauth-clients', PROGRAM);
  expect(status).toBe(401);
});
