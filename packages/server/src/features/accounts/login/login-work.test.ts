import type { IncomingMessage, ServerResponse } from 'node:http';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { expect, test } from 'vitest';
import type { WebRequest } from '../../../platform/web/web-route.ts';
import type { AccountId } from '../account.ts';
import * as accountStore from '../account-store.ts';
import { PasswordHasher } from '../passwords/password-hasher.ts';
import { AccountSessions } from '../sessions/account-sessions.ts';
import { LoginThrottle } from '../throttling/login-throttle.ts';
import { LoginService } from './login-service.ts';

const PASSWORD = 'the right password';
const CHEAP = { memoryKiB: 8, passes: 1 };

const clock = new ManualClock();
const store = useTestDatabase();

function open(hasher: PasswordHasher): LoginService {
  const { database } = store;
  return new LoginService({
    ...{ database, clock, hasher },
    throttle: new LoginThrottle({ database, clock, key: Buffer.alloc(32) }),
    sessions: new AccountSessions({ database, clock }),
    secondFactors: { isRequired: async () => false, verify: async () => undefined },
    deviceKey: Buffer.alloc(32),
  });
}

/** A request without a cookie, from a different address each time. */
let requests = 0;
function newRequest(): WebRequest {
  requests += 1;
  return {
    method: 'POST',
    path: '/login',
    params: {},
    query: new URLSearchParams(),
    form: new URLSearchParams(),
    cookies: new Map(),
    browserId: 'x',
    formToken: 'x',
    peer: `192.0.2.${requests}`,
    address: `192.0.2.${requests}`,
    userAgent: 'test',
    requestId: 'req_x',
    site: {
      url: 'http://127.0.0.1/auth',
      isSecure: false,
      path: (page) => `/auth${page}`,
      consolePath: '/console',
    },
    raw: { request: {} as IncomingMessage, response: {} as ServerResponse },
  };
}

async function createAccount(
  name: string,
  { passwordHash, disabledAtMs = null }: { passwordHash: string | null; disabledAtMs?: number | null },
): Promise<{ accountId: AccountId; email: string }> {
  const account = { accountId: `acc_${name}` as const, email: `${name}@example.com`, name };
  const nowMs = clock.now();
  const times = { createdAtMs: nowMs, emailVerifiedAtMs: nowMs, passwordChangedAtMs: null, disabledAtMs };
  await store.database.transaction((tx) => accountStore.create(tx, { ...account, passwordHash, ...times }));
  return account;
}

test('a sign-in costs one hash, whether or not the account exists, and none while it is delayed', async () => {
  const hasher = new PasswordHasher({ cost: CHEAP });
  const logins = open(hasher);
  const passwordHash = await hasher.hash(PASSWORD, 'unknown');
  await createAccount('known', { passwordHash });
  await createAccount('disabled', { passwordHash, disabledAtMs: 1 });
  await createAccount('passwordless', { passwordHash: null });
  for (const name of ['known', 'unknown', 'disabled', 'passwordless']) {
    const work = [];
    const kinds = new Set<string>();
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const before = hasher.work.runs;
      const credentials = { email: `${name}@example.com`, password: name === 'known' ? 'wrong' : PASSWORD };
      kinds.add((await logins.withPassword(newRequest(), credentials)).kind);
      work.push(hasher.work.runs - before);
    }
    expect([name, work, [...kinds]]).toEqual([name, [1, 1, 1, 1, 1, 0, 0], ['wrong', 'delayed']]);
  }
});

test('a sign-in replaces a hash with outdated parameters, once', async () => {
  const old = new PasswordHasher({ cost: CHEAP });
  const current = new PasswordHasher({ cost: { memoryKiB: 16, passes: 2 } });
  const { accountId, email } = await createAccount('old', {
    passwordHash: await old.hash(PASSWORD, 'unknown'),
  });
  const logins = open(current);
  const hashes = [];
  for (const password of ['a wrong password', PASSWORD, PASSWORD]) {
    await logins.withPassword(newRequest(), { email, password });
    hashes.push((await accountStore.find(store.database.read, accountId))?.passwordHash);
  }
  expect(hashes[0]).toMatch(/\$m=8,t=1,p=1\$/);
  expect(hashes[1]).toMatch(/\$m=16,t=2,p=1\$/);
  expect(hashes[2]).toBe(hashes[1]);
  expect((await logins.withPassword(newRequest(), { email, password: PASSWORD })).kind).toBe('signed_in');
});

test('a password that is replaced while it is verified does not sign in', async () => {
  const hasher = new PasswordHasher({ cost: CHEAP });
  const { accountId, email } = await createAccount('racing', {
    passwordHash: await hasher.hash(PASSWORD, 'unknown'),
  });
  const passwordHash = await hasher.hash('another password', 'unknown');
  const verify = hasher.verify.bind(hasher);
  hasher.verify = async (hash, password, line) => {
    const isRight = await verify(hash, password, line);
    const change = { passwordHash, changedAtMs: clock.now() };
    await store.database.transaction((tx) => accountStore.setPassword(tx, accountId, change));
    return isRight;
  };
  const outcome = await open(hasher).withPassword(newRequest(), { email, password: PASSWORD });
  expect(outcome.kind).toBe('wrong');
});

test('a full queue of unknown browsers keeps no person out and does not show who has an account', async () => {
  const hasher = new PasswordHasher({ cost: CHEAP });
  const { email } = await createAccount('crowded', {
    passwordHash: await hasher.hash(PASSWORD, 'unknown'),
  });
  const logins = open(hasher);
  // Two hashes that take seconds hold both places, so that the queue stays full.
  const slow = `$argon2id$v=19$m=65536,t=30,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  const strangers = Array.from({ length: 66 }, (_, index) =>
    hasher.verify(index < 2 ? slow : null, 'x', 'unknown').catch(() => 'refused'),
  );
  const startedAtMs = performance.now();
  const enter = async (credentials: { email: string; password: string }) => {
    const { kind } = await logins.withPassword(newRequest(), credentials);
    return [kind, performance.now() - startedAtMs >= 990];
  };
  const outcomes = await Promise.all([
    enter({ email, password: PASSWORD }),
    enter({ email, password: 'wrong' }),
    enter({ email: 'uncrowded@example.com', password: PASSWORD }),
  ]);
  expect(outcomes).toEqual([
    ['signed_in', true],
    ['wrong', true],
    ['wrong', true],
  ]);
  await Promise.all(strangers);
});
