import { expect, test } from 'vitest';
import { PASSWORD_COST, PasswordHasher } from './password-hasher.ts';

const CHEAP = { memoryKiB: 8, passes: 1 };

test('a password without a hash costs the same work as a wrong one', async () => {
  const hasher = new PasswordHasher({ cost: CHEAP });
  const known = await hasher.hash('correct horse battery', 'unknown');
  const outcomes = [];
  for (const hash of [known, undefined, null]) {
    const before = hasher.work.runs;
    outcomes.push([await hasher.verify(hash, 'a wrong password', 'unknown'), hasher.work.runs - before]);
  }
  expect(outcomes).toEqual([
    [false, 1],
    [false, 1],
    [false, 1],
  ]);
});

test('a hash is argon2id with 19 MiB and two passes, and fits any form of the same characters', async () => {
  const hasher = new PasswordHasher();
  const hash = await hasher.hash('Zo\u00eb and the \ufb01sh', 'unknown');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(PASSWORD_COST).toEqual({ memoryKiB: 19_456, passes: 2 });
  expect(await hasher.verify(hash, 'Zoe\u0308 and the fish', 'unknown')).toBe(true);
  expect(await hasher.verify(hash, 'zoe\u0308 and the fish', 'unknown')).toBe(false);
});

test('two hashes run at a time, 64 wait, and more are refused', async () => {
  const hasher = new PasswordHasher({ cost: CHEAP });
  const all = Array.from({ length: 100 }, () => hasher.hash('correct horse battery', 'unknown'));
  expect(hasher.work).toMatchObject({ running: 2, waiting: 64 });
  const outcomes = await Promise.allSettled(all);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(34);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable', retryAfterSeconds: 5 } });
  expect(hasher.work).toEqual({ runs: 66, running: 0, waiting: 0 });
  expect(await hasher.verify(await hasher.hash('x', 'unknown'), 'x', 'unknown')).toBe(true);
});

test('a full line gives way to a shorter one, and lines take turns', async () => {
  const hasher = new PasswordHasher({ cost: CHEAP });
  const order: string[] = [];
  const hash = (line: 'unknown' | `known ${string}`) =>
    hasher.hash('correct horse battery', line).then(
      () => order.push(line),
      () => order.push(`refused ${line}`),
    );
  const all = [
    ...Array.from({ length: 66 }, () => hash('unknown')),
    ...['a', 'a', 'b'].map((tenant) => hash(`known ${tenant}`)),
  ];
  await Promise.all(all);
  const of = (outcome: string) => order.filter((one) => one === outcome).length;
  expect([of('refused unknown'), of('known a'), of('known b')]).toEqual([3, 2, 1]);
  // Two ran before, and each line has its turn in each round.
  expect(order.indexOf('known b')).toBeLessThan(12);
});
