import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secret } from './secret.ts';
import { isMemoryKey, SecretBox } from './secret-box.ts';

const MASTER = Buffer.alloc(32, 7);
const BINDING = ['webhook', 'tnt_1', 'whk_1'];

const boxOf = (master: Buffer, previous?: Buffer) =>
  new SecretBox({
    masterKey: new Secret(master),
    ...(previous ? { previousKey: new Secret(previous) } : {}),
  });

test('every secret opens again for its row, in this process and in a later one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const sealed = boxOf(MASTER).seal(new Secret(text), BINDING);
      expect(boxOf(MASTER).open(sealed, BINDING)?.reveal()).toBe(text);
    }),
  );
});

test('sealed bytes reveal nothing of the secret and never repeat', () => {
  const box = boxOf(MASTER);
  const secret = new Secret('a secret of some length');
  const [one, other] = [1, 2].map(() => Buffer.from(box.seal(secret, BINDING).bytes));
  expect(one).not.toEqual(other);
  expect(one?.subarray(0, 12)).not.toEqual(other?.subarray(0, 12));
  expect(one?.includes('secret')).toBe(false);
});

test.each([
  ['another row', ['webhook', 'tnt_1', 'whk_2']],
  ['another tenant', ['webhook', 'tnt_2', 'whk_1']],
  ['another purpose', ['job', 'tnt_1', 'whk_1']],
  ['parts joined differently', ['webhook', 'tnt_1,whk_1']],
  ['an extra part', [...BINDING, '']],
  ['nothing', []],
])('a secret does not open for %s', (_what, binding) => {
  const box = boxOf(MASTER);
  expect(box.open(box.seal(new Secret('x'), BINDING), binding)).toBeUndefined();
});

test('a secret with any bit changed or any byte missing does not open', () => {
  const box = boxOf(MASTER);
  const { keyId, bytes } = box.seal(new Secret('hunter2hunter2hunter2'), BINDING);
  for (let at = 0; at < bytes.length * 8; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
    expect(box.open({ keyId, bytes: changed }, BINDING)).toBeUndefined();
  }
  for (let length = 0; length < bytes.length; length += 1) {
    expect(box.open({ keyId, bytes: bytes.subarray(0, length) }, BINDING)).toBeUndefined();
    expect(box.open({ keyId, bytes: bytes.subarray(bytes.length - length) }, BINDING)).toBeUndefined();
  }
});

test('the previous key opens but never seals; without it, its secrets stay closed', () => {
  const old = randomBytes(32);
  const sealed = boxOf(old).seal(new Secret('x'), BINDING);
  const both = boxOf(MASTER, old);
  expect(both.open(sealed, BINDING)?.reveal()).toBe('x');
  expect(both.seal(new Secret('y'), BINDING).keyId).toBe(boxOf(MASTER).keyId);
  expect(both.keyIds.sort()).toEqual([boxOf(old).keyId, boxOf(MASTER).keyId].sort());
  expect(boxOf(MASTER).open(sealed, BINDING)).toBeUndefined();
});

test('a secret does not open under the id of another known key', () => {
  const old = randomBytes(32);
  const both = boxOf(MASTER, old);
  const { bytes } = boxOf(old).seal(new Secret('x'), BINDING);
  expect(both.open({ keyId: both.keyId, bytes }, BINDING)).toBeUndefined();
});

test('without a master key, a secret opens only in the box that sealed it', () => {
  const box = new SecretBox({ masterKey: undefined });
  const sealed = box.seal(new Secret('x'), BINDING);
  expect(box.persistence).toBe('memory');
  expect(isMemoryKey(sealed.keyId)).toBe(true);
  expect(isMemoryKey(boxOf(MASTER).keyId)).toBe(false);
  expect(box.open(sealed, BINDING)?.reveal()).toBe('x');
  expect(new SecretBox({ masterKey: undefined }).open(sealed, BINDING)).toBeUndefined();
});

test('neither the box nor a key id shows the key', () => {
  const box = boxOf(MASTER);
  const printed = inspect(box, { showHidden: true, depth: 9 }) + JSON.stringify(box);
  expect(printed).not.toContain(MASTER.toString('hex').slice(0, 16));
  expect(printed).not.toContain(MASTER.toString('base64').slice(0, 12));
  expect(box.keyId).toMatch(/^[0-9a-f]{16}$/);
});

test('a secret sealed by an earlier version still opens', () => {
  const bytes = Buffer.from('gL2odS5BnDMx9+ij5eSyfLp/6h2mIzYnd8hPTKERfkgxk9+WLeI0vprQ', 'base64');
  const opened = boxOf(MASTER).open({ keyId: '40db8154376efffa', bytes }, BINDING);
  expect(opened?.reveal()).toBe('kept for years');
});
