import { randomBytes } from 'node:crypto';
import { createLogger } from '@tps/server/service';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, expect, test } from 'vitest';
import { Secret } from '../../../platform/crypto/secret.ts';
import { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { OauthKeys, rewrapOauthKeys } from './oauth-keys.ts';

const DAY_MS = 86_400_000;
const store = useTestDatabase({ scope: 'test' });
const masterKey = new Secret(randomBytes(32));
let clock: ManualClock;
let lines: string[];

beforeEach(() => {
  clock = new ManualClock();
  lines = [];
});

const keysOf = (secrets: SecretBox) => {
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ level: 'info', destination });
  return new OauthKeys({ database: store.database, secrets, clock, logger });
};
const kidsOf = ({ signing }: Awaited<ReturnType<OauthKeys['read']>>) => signing.map(({ kid }) => kid);

test('all nodes and later starts have the same keys, also when they start at the same time', async () => {
  const box = () => new SecretBox({ masterKey });
  const [one, other] = await Promise.all([keysOf(box()).read(), keysOf(box()).read()]);
  expect(one).toEqual(other);
  expect(await keysOf(box()).read()).toEqual(one);
  expect([one.signing.length, one.cookies.length]).toEqual([1, 1]);
});

test('the next key is published two days before it signs, and the old one two days longer', async () => {
  const keys = keysOf(new SecretBox({ masterKey }));
  const [first] = kidsOf(await keys.read());
  clock.advance(88 * DAY_MS - 1);
  expect(kidsOf(await keys.read())).toEqual([first]);
  clock.advance(1);
  const [signing, next] = kidsOf(await keys.read());
  expect([signing, next]).toEqual([first, expect.any(String)]);
  clock.advance(2 * DAY_MS);
  expect(kidsOf(await keys.read())).toEqual([next, first]);
  clock.advance(2 * DAY_MS + 1);
  expect(kidsOf(await keys.read())).toEqual([next]);
  clock.advance(86 * DAY_MS);
  await keys.read();
  const rows = await store.database.read.db.selectFrom('oauth_keys').select('key_id').execute();
  // Of each purpose the active key and the next one: the first ones are deleted.
  expect(rows).toHaveLength(4);
  expect(rows.map((row) => row.key_id)).not.toContain(first);
});

test('keys are sealed, and sealed again under a new master key', async () => {
  const before = new SecretBox({ masterKey });
  const keys = await keysOf(before).read();
  const next = new Secret(randomBytes(32));
  const both = new SecretBox({ masterKey: next, previousKey: masterKey });
  const stored = async () =>
    Buffer.concat(
      (await store.database.read.db.selectFrom('oauth_keys').select('sealed_key').execute()).map(
        ({ sealed_key }) => Buffer.from(sealed_key),
      ),
    ).toString('latin1');
  for (const secret of [String(keys.signing[0]?.d), String(keys.cookies[0])]) {
    expect(await stored()).not.toContain(secret);
    expect(lines.join('')).not.toContain(secret);
  }
  expect(await rewrapOauthKeys({ database: store.database, secrets: both })).toEqual({
    rewrapped: 2,
    unreadable: 0,
  });
  expect(await rewrapOauthKeys({ database: store.database, secrets: both })).toEqual({
    rewrapped: 0,
    unreadable: 0,
  });
  expect(await keysOf(new SecretBox({ masterKey: next })).read()).toEqual(keys);
});

test('keys that no master key opens are replaced', async () => {
  const [lost] = kidsOf(await keysOf(new SecretBox({ masterKey })).read());
  const other = keysOf(new SecretBox({ masterKey: new Secret(randomBytes(32)) }));
  const [fresh] = kidsOf(await other.read());
  expect(fresh).not.toBe(lost);
  expect(kidsOf(await other.read())).toEqual([fresh]);
});

test('without a master key, keys are not stored, and the log says so', async () => {
  const keys = keysOf(new SecretBox({ masterKey: undefined }));
  expect(await keys.read()).toEqual(await keys.read());
  const rows = await store.database.read.db.selectFrom('oauth_keys').selectAll().execute();
  expect(rows).toEqual([]);
  expect(lines.join('')).toContain('last as long as this process');
});
