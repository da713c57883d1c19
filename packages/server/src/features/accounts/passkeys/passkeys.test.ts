import { createLogger } from '@tps/server/service';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Queries } from '../../../database/index.ts';
import type { Account, AccountId } from '../account.ts';
import * as accountStore from '../account-store.ts';
import { parseAnswer } from './passkey-answer.ts';
import * as passkeyStore from './passkey-store.ts';
import { MAX_PASSKEYS, Passkeys } from './passkeys.ts';
import { type Deviations, SoftAuthenticator } from './testing/soft-authenticator.ts';

const REQUEST = { requestId: 'req_1' };
const ORIGIN = 'https://tps.example.com';
const ADDRESS = { peer: '192.0.2.1' };
const store = useTestDatabase();
let clock: ManualClock;
let passkeys: Passkeys;
let accounts = 0;

beforeEach(() => {
  clock = new ManualClock();
  passkeys = toPasskeys(`${ORIGIN}/auth`);
});

const within = <R>(work: (tx: Queries) => Promise<R>) => store.database.transaction(work);

function toPasskeys(url: string): Passkeys {
  return new Passkeys({
    database: store.database,
    clock,
    logger: createLogger({ level: 'silent' }),
    site: { url },
  });
}

async function createAccount(name: string, passwordHash: string | null = '$argon2id$'): Promise<Account> {
  accounts += 1;
  const account: Account = {
    accountId: `acc_${name}${accounts}`,
    email: `${name}${accounts}@example.com`,
    name,
    passwordHash,
    emailVerifiedAtMs: clock.now(),
    createdAtMs: clock.now(),
    passwordChangedAtMs: null,
    disabledAtMs: null,
  };
  await within((tx) => accountStore.create(tx, account));
  return account;
}

async function register(account: Account, authenticator: SoftAuthenticator, deviations: Deviations = {}) {
  const text = authenticator.create(await passkeys.beginRegistration(account), deviations);
  return registerAnswer(account, text);
}

async function registerAnswer(account: Account, text: string) {
  const passkey = await passkeys.verifyRegistration(account.accountId, { text, name: 'Phone' });
  return passkey ? within((tx) => passkeys.register(tx, passkey)) : 'refused';
}

/** Signs in, or proves again who an account is. Returns the account that the passkey proved. */
async function use(authenticator: SoftAuthenticator, deviations: Deviations = {}, account?: Account) {
  const accountId = account?.accountId ?? null;
  return useAnswer(authenticator.get(await passkeys.beginUse(accountId, ADDRESS), deviations), accountId);
}

async function useAnswer(text: string, accountId: AccountId | null = null) {
  const proven = await passkeys.verifyUse(accountId, text);
  return proven && (await within((tx) => passkeys.use(tx, proven, REQUEST))) ? proven.accountId : undefined;
}

async function createAnn(): Promise<{ ann: Account; phone: SoftAuthenticator }> {
  const ann = await createAccount('ann');
  const phone = new SoftAuthenticator(ORIGIN);
  expect(await register(ann, phone)).toBe('registered');
  return { ann, phone };
}

describe('a passkey', () => {
  test('signs its owner in, and proves again who they are', async () => {
    const { ann, phone } = await createAnn();
    expect(await use(phone)).toBe(ann.accountId);
    clock.advance(1000);
    expect(await use(phone, {}, ann)).toBe(ann.accountId);
    const [passkey] = await passkeyStore.list(store.database.read, ann.accountId);
    expect(passkey).toMatchObject({
      name: 'Phone',
      counter: 2,
      usedAtMs: clock.now(),
      transports: ['internal'],
    });
  });

  test.each<[string, Deviations]>([
    ['another origin', { origin: 'https://tps.example.org' }],
    ['another port', { origin: `${ORIGIN}:8443` }],
    ['another relying party', { rpId: 'example.com' }],
    ['an authenticator that did not verify its user', { isUserVerified: false }],
    ['a challenge that was never made', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
  ])('is neither registered nor accepted with %s', async (_, deviations) => {
    const ann = await createAccount('ann');
    expect(await register(ann, new SoftAuthenticator(ORIGIN), deviations)).toBe('refused');
    const phone = new SoftAuthenticator(ORIGIN);
    await register(ann, phone);
    expect(await use(phone, deviations)).toBeUndefined();
    expect(await use(phone)).toBe(ann.accountId);
  });

  test('that claims to be of another account is refused', async () => {
    const { phone } = await createAnn();
    const bob = await createAccount('bob');
    const userHandle = Buffer.from(bob.accountId).toString('base64url');
    expect(await use(phone, { userHandle })).toBeUndefined();
  });

  test('proves nothing for another account that asks for its own', async () => {
    const { phone } = await createAnn();
    expect(await use(phone, {}, await createAccount('bob'))).toBeUndefined();
  });

  test('is refused when its counter goes back or stays', async () => {
    const { ann, phone } = await createAnn();
    expect(await use(phone, { counter: 7 })).toBe(ann.accountId);
    expect(await use(phone, { counter: 7 })).toBeUndefined();
    expect(await use(phone, { counter: 6 })).toBeUndefined();
    expect(await use(phone, { counter: 0 })).toBeUndefined();
    expect(await use(phone, { counter: 8 })).toBe(ann.accountId);
  });

  test('whose counter two requests send at the same time counts once', async () => {
    const { ann, phone } = await createAnn();
    const proven = { credentialId: phone.id, accountId: ann.accountId, counter: 5 };
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => within((tx) => passkeys.use(tx, proven, REQUEST))),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });

  test('that does not count is accepted each time', async () => {
    const { ann, phone } = await createAnn();
    expect(await use(phone, { counter: 0 })).toBe(ann.accountId);
    expect(await use(phone, { counter: 0 })).toBe(ann.accountId);
  });

  test('belongs to one account only', async () => {
    const { phone } = await createAnn();
    expect(await register(await createAccount('bob'), phone)).toBe('already_registered');
  });

  test.each(['packed', 'android-key', 'android-safetynet', 'fido-u2f', 'apple', 'tpm', 'unknown'])(
    'is registered without a look at a statement in the format %s',
    async (attestation) => {
      const owner = await createAccount('stated');
      const authenticator = new SoftAuthenticator(ORIGIN);
      expect(await register(owner, authenticator, { attestation })).toBe('registered');
    },
  );

  test('is not registered beyond the limit of an account', async () => {
    const ann = await createAccount('ann');
    for (let count = 0; count < MAX_PASSKEYS; count += 1) {
      expect(await register(ann, new SoftAuthenticator(ORIGIN))).toBe('registered');
    }
    expect(await register(ann, new SoftAuthenticator(ORIGIN))).toBe('too_many');
  });
});

describe('a challenge', () => {
  test('counts once, also when its answer is sent at the same time', async () => {
    const { ann, phone } = await createAnn();
    const answer = phone.get(await passkeys.beginUse(null, ADDRESS), { counter: 0 });
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => useAnswer(answer)));
    expect(outcomes.filter((accountId) => accountId === ann.accountId)).toHaveLength(1);
    expect(await useAnswer(answer)).toBeUndefined();
  });

  test('is used up by a wrong answer', async () => {
    const { phone } = await createAnn();
    const options = await passkeys.beginUse(null, ADDRESS);
    expect(await useAnswer(phone.get(options, { origin: 'https://evil.example' }))).toBeUndefined();
    expect(await useAnswer(phone.get(options))).toBeUndefined();
  });

  test('is answered within five minutes or not at all', async () => {
    const { phone } = await createAnn();
    const options = await passkeys.beginUse(null, ADDRESS);
    clock.advance(300_000);
    expect(await useAnswer(phone.get(options))).toBeUndefined();
  });

  test('of a registration does not work for another account, nor for a sign-in', async () => {
    const { ann, phone } = await createAnn();
    const bob = await createAccount('bob');
    const answer = new SoftAuthenticator(ORIGIN).create(await passkeys.beginRegistration(ann));
    expect(await registerAnswer(bob, answer)).toBe('refused');
    const { challenge } = await passkeys.beginRegistration(ann);
    expect(await useAnswer(phone.get({ challenge, rpId: 'tps.example.com' }))).toBeUndefined();
  });

  test('of a sign-in does not work as a proof for a session, and the reverse', async () => {
    const { ann, phone } = await createAnn();
    expect(await useAnswer(phone.get(await passkeys.beginUse(null, ADDRESS)), ann.accountId)).toBeUndefined();
    expect(await useAnswer(phone.get(await passkeys.beginUse(ann.accountId, ADDRESS)), null)).toBeUndefined();
  });
});

test.each([
  '',
  'null',
  '[]',
  '{"id":1}',
  '{"id":"a","response":null}',
  '{"id":"a","response":{}}',
  'x'.repeat(20_000),
])('an answer that is none is refused: %#', async (text) => {
  const ann = await createAccount('ann');
  expect(await useAnswer(text)).toBeUndefined();
  expect(await registerAnswer(ann, text)).toBe('refused');
});

describe('an answer whose members are not texts is refused', () => {
  const HUGE = { length: 1_000_000 };

  test.each(['attestationObject', 'clientDataJSON'])('to register: %s', async (member) => {
    const owner = await createAccount('huge');
    const authenticator = new SoftAuthenticator(ORIGIN);
    const answer = JSON.parse(authenticator.create(await passkeys.beginRegistration(owner)));
    answer.response[member] = HUGE;
    expect(parseAnswer(JSON.stringify(answer))).toBeUndefined();
    expect(await registerAnswer(owner, JSON.stringify(answer))).toBe('refused');
  });

  test.each(['authenticatorData', 'signature', 'userHandle'])('to sign in: %s', async (member) => {
    const owner = await createAccount('huge');
    const authenticator = new SoftAuthenticator(ORIGIN);
    await register(owner, authenticator);
    const answer = JSON.parse(authenticator.get(await passkeys.beginUse(null, ADDRESS)));
    answer.response[member] = HUGE;
    expect(parseAnswer(JSON.stringify(answer))).toBeUndefined();
  });

  /** What JSON can have in the place of a text or of the list of transports. */
  const OTHERS = [null, 1, true, 'a\0b', 'not base64url!', [1], {}, ['\ud800', null], HUGE];
  const MEMBERS = [
    ...['id', 'rawId', 'type', 'response', 'clientExtensionResults', 'authenticatorAttachment'],
    ...['response.clientDataJSON', 'response.attestationObject', 'response.transports'],
    ...['response.authenticatorData', 'response.signature', 'response.userHandle'],
    ...['response.publicKey', 'response.publicKeyAlgorithm'],
  ];

  test.each(MEMBERS)('or ignored, for any value of %s', async (path) => {
    const owner = await createAccount('odd');
    const phone = new SoftAuthenticator(ORIGIN);
    await register(owner, phone);
    for (const other of OTHERS) {
      const made = new SoftAuthenticator(ORIGIN).create(await passkeys.beginRegistration(owner));
      await registerAnswer(owner, withMember(made, { path, other }));
      const used = phone.get(await passkeys.beginUse(null, ADDRESS));
      await useAnswer(withMember(used, { path, other }));
    }
    expect(await use(phone)).toBe(owner.accountId);
  });

  test('transports are a list of texts', async () => {
    const owner = await createAccount('odd');
    for (const other of ['internal', { length: 1 }, [1], [null]]) {
      const made = new SoftAuthenticator(ORIGIN).create(await passkeys.beginRegistration(owner));
      const answer = withMember(made, { path: 'response.transports', other });
      expect(await registerAnswer(owner, answer)).toBe('refused');
    }
  });
});

function withMember(text: string, { path, other }: { path: string; other: unknown }): string {
  const answer = JSON.parse(text);
  const [name = '', inner] = path.split('.');
  if (inner === undefined) answer[name] = other;
  else answer[name][inner] = other;
  return JSON.stringify(answer);
}

describe('removing a passkey', () => {
  test('leaves an account without a password with one, also when two are removed at the same time', async () => {
    const ann = await createAccount('ann', null);
    const devices = [new SoftAuthenticator(ORIGIN), new SoftAuthenticator(ORIGIN)];
    for (const device of devices) await register(ann, device);
    const outcomes = await Promise.all(
      devices.map((device) => within((tx) => passkeys.remove(tx, ann.accountId, device.id))),
    );
    expect(outcomes.toSorted()).toEqual(['last_way_to_sign_in', 'removed']);
  });

  test('of an account with a password removes the last one, which then proves nothing', async () => {
    const { ann, phone } = await createAnn();
    const proven = await passkeys.verifyUse(null, phone.get(await passkeys.beginUse(null, ADDRESS)));
    expect(await within((tx) => passkeys.remove(tx, ann.accountId, phone.id))).toBe('removed');
    expect(proven && (await within((tx) => passkeys.use(tx, proven, REQUEST)))).toBe(false);
    expect(await use(phone)).toBeUndefined();
  });

  test('of another account is not possible', async () => {
    const { phone } = await createAnn();
    const bob = await createAccount('bob');
    expect(await within((tx) => passkeys.remove(tx, bob.accountId, phone.id))).toBe('not_found');
  });
});

test.each([
  ['https://tps.example.com/auth', true],
  ['http://localhost:8080/auth', true],
  ['http://127.0.0.1:8080/auth', false],
  ['https://[2001:db8::1]/auth', false],
])('passkeys at %s are available: %s', (url, isAvailable) => {
  expect(toPasskeys(url).isAvailable).toBe(isAvailable);
});
