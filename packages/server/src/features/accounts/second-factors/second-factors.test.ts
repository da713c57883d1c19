import { randomBytes } from 'node:crypto';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { generateSync } from 'otplib';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Queries } from '../../../database/index.ts';
import { Secret } from '../../../platform/crypto/secret.ts';
import { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { AccountId } from '../account.ts';
import { SecondFactors } from './second-factors.ts';
import { findUnreadableTotp, rewrapTotpSecrets } from './stored-totp-secrets.ts';

const store = useTestDatabase();
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)].map((key) => new Secret(key));
const oldBox = new SecretBox({ masterKey: oldKey });

let clock: ManualClock;
let factors: SecondFactors;
let tests = 0;
let ann: AccountId;
let bob: AccountId;

beforeEach(() => {
  tests += 1;
  ann = `acc_ann${tests}`;
  bob = `acc_bob${tests}`;
  clock = new ManualClock();
  factors = new SecondFactors({ secrets: oldBox, clock });
});

const within = <R>(work: (tx: Queries) => Promise<R>) => store.database.transaction(work);
const verify = (code: string, { accountId = ann, by = factors } = {}) =>
  within((tx) => by.verify(tx, accountId, code));
const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(clock.now() / 1000) });

/** Turns the second factor of an account on. The next code is of a later step. */
async function enrol(accountId = ann): Promise<{ secret: string; recoveryCodes: string[] }> {
  const secret = (await within((tx) => factors.begin(tx, accountId)))?.reveal() ?? '';
  const recoveryCodes = (await within((tx) => factors.confirm(tx, accountId, codeOf(secret)))) ?? [];
  clock.advance(30_000);
  return { secret, recoveryCodes };
}

describe('an authenticator app', () => {
  test('protects the account only after its first code', async () => {
    const secret = (await within((tx) => factors.begin(tx, ann)))?.reveal() ?? '';
    expect(await factors.isRequired(store.database.read, ann)).toBe(false);
    expect(await verify(codeOf(secret))).toBeUndefined();
    expect(await within((tx) => factors.confirm(tx, ann, '000000'))).toBeUndefined();
    expect(await within((tx) => factors.confirm(tx, ann, codeOf(secret)))).toHaveLength(10);
    expect(await factors.isRequired(store.database.read, ann)).toBe(true);
  });

  test('cannot be replaced while it protects the account', async () => {
    const { secret } = await enrol();
    expect(await within((tx) => factors.begin(tx, ann))).toBeUndefined();
    expect(await verify(codeOf(secret))).toBe('totp');
  });

  test('begun twice counts with the second secret only', async () => {
    const first = (await within((tx) => factors.begin(tx, ann)))?.reveal() ?? '';
    await within((tx) => factors.begin(tx, ann));
    expect(await within((tx) => factors.confirm(tx, ann, codeOf(first)))).toBeUndefined();
  });

  test('gives codes that count once, also when they are sent at the same time', async () => {
    const { secret } = await enrol();
    const code = codeOf(secret);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => verify(code)));
    expect(outcomes.filter((outcome) => outcome === 'totp')).toHaveLength(1);
    expect(await verify(code)).toBeUndefined();
  });

  test('gives codes that do not count after a later one', async () => {
    const { secret } = await enrol();
    const earlier = codeOf(secret);
    clock.advance(30_000);
    expect(await verify(codeOf(secret))).toBe('totp');
    expect(await verify(earlier)).toBeUndefined();
  });

  test('that confirmed the enrolment with a code cannot use the code again', async () => {
    const secret = (await within((tx) => factors.begin(tx, ann)))?.reveal() ?? '';
    await within((tx) => factors.confirm(tx, ann, codeOf(secret)));
    expect(await verify(codeOf(secret))).toBeUndefined();
  });

  test('of another account does not open this one', async () => {
    await enrol(ann);
    const { secret } = await enrol(bob);
    expect(await verify(codeOf(secret))).toBeUndefined();
    expect(await verify(codeOf(secret), { accountId: bob })).toBe('totp');
  });

  test('does not open with a sealed secret that was moved to its row', async () => {
    const { recoveryCodes } = await enrol(ann);
    const { secret } = await enrol(bob);
    await within(async (tx) => {
      const moved = await tx.db
        .selectFrom('account_totp')
        .select(['key_id', 'sealed_secret'])
        .where('account_id', '=', bob)
        .executeTakeFirstOrThrow();
      await tx.db.updateTable('account_totp').set(moved).where('account_id', '=', ann).execute();
    });
    expect(await verify(codeOf(secret))).toBeUndefined();
    expect(await verify(recoveryCodes[0] ?? '')).toBe('recovery_code');
  });

  test('is not offered without a master key', () => {
    const inMemory = new SecondFactors({ secrets: new SecretBox({ masterKey: undefined }), clock });
    expect([inMemory.canEnrol, factors.canEnrol]).toEqual([false, true]);
  });

  test('ends with its recovery codes when it is removed', async () => {
    const { secret, recoveryCodes } = await enrol();
    expect(await within((tx) => factors.remove(tx, ann))).toBe(true);
    expect(await verify(codeOf(secret))).toBeUndefined();
    expect(await verify(recoveryCodes[0] ?? '')).toBeUndefined();
    expect(await within((tx) => factors.remove(tx, ann))).toBe(false);
    expect(await factors.describe(store.database.read, ann)).toEqual({
      confirmedAtMs: null,
      unusedRecoveryCodes: 0,
    });
  });
});

describe('a recovery code', () => {
  test('counts once, also when it is sent at the same time', async () => {
    const { recoveryCodes } = await enrol();
    const [code = ''] = recoveryCodes;
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => verify(code)));
    expect(outcomes.filter((outcome) => outcome === 'recovery_code')).toHaveLength(1);
    expect((await factors.describe(store.database.read, ann)).unusedRecoveryCodes).toBe(9);
  });

  test('of another account does not count', async () => {
    const { recoveryCodes } = await enrol(ann);
    await enrol(bob);
    expect(await verify(recoveryCodes[0] ?? '', { accountId: bob })).toBeUndefined();
  });

  test('does not count after new ones were made', async () => {
    const { recoveryCodes } = await enrol();
    const fresh = await within((tx) => factors.renewRecoveryCodes(tx, ann));
    expect(await verify(recoveryCodes[0] ?? '')).toBeUndefined();
    expect(await verify(fresh[9] ?? '')).toBe('recovery_code');
  });
});

describe('in the store', () => {
  test('neither the secret nor a recovery code can be read', async () => {
    const { secret, recoveryCodes } = await enrol();
    const rows = await within(async (tx) => [
      ...(await tx.db.selectFrom('account_totp').selectAll().where('account_id', '=', ann).execute()),
      ...(await tx.db
        .selectFrom('account_recovery_codes')
        .selectAll()
        .where('account_id', '=', ann)
        .execute()),
    ]);
    const text = rows.map((row) =>
      Object.values(row)
        .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
        .join(' '),
    );
    expect(text).toHaveLength(11);
    for (const hidden of [
      secret,
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replaceAll('-', '')),
    ]) {
      expect(text.join('\n')).not.toContain(hidden);
    }
  });

  test('secrets are sealed again under a new master key, and unreadable ones are counted', async () => {
    await within((tx) => tx.db.deleteFrom('account_totp').execute());
    const { secret } = await enrol(ann);
    const lostBox = new SecretBox({ masterKey: new Secret(randomBytes(32)) });
    await within((tx) => new SecondFactors({ secrets: lostBox, clock }).begin(tx, bob));
    const bothBox = new SecretBox({ masterKey: newKey, previousKey: oldKey });
    const find = (secrets: SecretBox) => findUnreadableTotp({ database: store.database, secrets });
    expect(await find(lostBox)).toMatch(/^The authenticator apps of 1 accounts cannot be read/);
    expect(await find(oldBox)).toBeUndefined();
    const rewrap = () => rewrapTotpSecrets({ database: store.database, secrets: bothBox });
    expect(await rewrap()).toEqual({ rewrapped: 1, unreadable: 1 });
    expect(await rewrap()).toEqual({ rewrapped: 0, unreadable: 1 });
    const by = new SecondFactors({ secrets: new SecretBox({ masterKey: newKey }), clock });
    expect(await verify(codeOf(secret))).toBeUndefined();
    expect(await verify(codeOf(secret), { by })).toBe('totp');
  });
});
