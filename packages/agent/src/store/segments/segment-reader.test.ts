import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { concatBytes } from '../../encoding/bytes.ts';
import { createStorageKey, dataKeyOf } from '../../node/keys/key-wrapping.ts';
import { additionalDataOf, encodeFrame, encodeHeader, nonceOf } from './segment-format.ts';
import { readSegment, type SegmentKey } from './segment-reader.ts';

const SEGMENT = 'ordinary-00000001';
const TEXTS = Array.from({ length: 12 }, (_, index) => `record ${index} ${'x'.repeat(index * 7)}`);

function newKey(segment = SEGMENT): SegmentKey {
  return { segment, id: randomBytes(16), key: dataKeyOf(createStorageKey().secret) };
}

function framesOf(opener: SegmentKey, texts = TEXTS): Uint8Array[] {
  return texts.map((text, index) => {
    const additionalData = additionalDataOf(opener.segment, opener.id, index);
    return encodeFrame(index, opener.key.seal(nonceOf(index), Buffer.from(text), additionalData));
  });
}

function textsIn(opener: SegmentKey, bytes: Uint8Array) {
  const { records, damaged } = readSegment(opener, bytes);
  const inOrder = [...records].sort((one, other) => one.index - other.index);
  return { texts: inOrder.map(({ plaintext }) => Buffer.from(plaintext).toString()), damaged };
}

describe('a segment reader', () => {
  let opener: SegmentKey;
  let frames: Uint8Array[];
  let whole: Uint8Array;

  beforeAll(() => {
    opener = newKey();
    frames = framesOf(opener);
    whole = concatBytes([encodeHeader(opener.id), ...frames]);
  });

  test('gives what was written', () => {
    expect(textsIn(opener, whole)).toEqual({ texts: TEXTS, damaged: 0 });
  });

  test('gives all but the last record when that is cut off at any byte, and calls nothing damaged', () => {
    const last = frames.at(-1)?.length ?? 0;
    for (let length = whole.length - last; length < whole.length; length += 1) {
      expect(textsIn(opener, whole.subarray(0, length))).toEqual({ texts: TEXTS.slice(0, -1), damaged: 0 });
    }
  });

  test('goes on after any single damaged byte, and counts the record that was lost', () => {
    for (let at = 24; at < whole.length; at += 1) {
      const damaged = whole.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0x55;
      const read = textsIn(opener, damaged);
      expect(read.texts).toHaveLength(TEXTS.length - 1);
      expect(read.texts.every((text) => TEXTS.includes(text))).toBe(true);
    }
  });

  test('counts a damaged record in the middle, and a damaged one at the end', () => {
    const [middle, end] = [whole.slice(), whole.slice()];
    middle[24 + (frames[0]?.length ?? 0) + 20] = 0;
    end[end.length - 1] = (end.at(-1) ?? 0) ^ 1;
    expect(textsIn(opener, middle).damaged).toBe(1);
    expect(textsIn(opener, end).damaged).toBe(1);
  });

  test('gives each record once, whatever the order and number of its copies', () => {
    const [first, second, ...rest] = frames as [Uint8Array, Uint8Array, ...Uint8Array[]];
    const shuffled = concatBytes([encodeHeader(opener.id), second, first, second, ...rest, first]);
    expect(textsIn(opener, shuffled)).toEqual({ texts: TEXTS, damaged: 0 });
  });

  test('reads nothing of a segment with another key, id or name', () => {
    expect(textsIn(newKey(), whole).texts).toEqual([]);
    expect(textsIn({ ...opener, id: randomBytes(16) }, whole).texts).toEqual([]);
    expect(textsIn({ ...opener, segment: 'grave-00000001' }, whole).texts).toEqual([]);
  });

  test('does not need the header of the log', () => {
    expect(textsIn(opener, concatBytes([randomBytes(24), ...frames])).texts).toEqual(TEXTS);
  });

  test('spends bounded work on a file made of sound frames that do not open', () => {
    const sealed = new Uint8Array(16);
    const header = encodeFrame(0, new Uint8Array(250_000)).subarray(0, 16);
    const hostile = concatBytes([
      encodeHeader(opener.id),
      ...Array.from({ length: 60_000 }, () => header),
      sealed,
    ]);
    const begin = performance.now();
    expect(textsIn(opener, hostile).texts).toEqual([]);
    expect(performance.now() - begin).toBeLessThan(2000);
  });

  test('gives only records that were written, from thousands of damaged files', () => {
    const foreign = newKey();
    const others = framesOf(foreign);
    const place = fc.nat(whole.length - 1);
    const damage = fc.oneof(
      fc.record({ kind: fc.constant('flip' as const), at: place, mask: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ kind: fc.constant('cut' as const), at: place }),
      fc.record({ kind: fc.constant('remove' as const), at: place, length: fc.nat(200) }),
      fc.record({ kind: fc.constant('insert' as const), at: place, bytes: fc.uint8Array({ maxLength: 64 }) }),
      fc.record({ kind: fc.constant('copy' as const), at: place, from: place, length: fc.nat(300) }),
      fc.record({ kind: fc.constant('foreign' as const), at: place, frame: fc.nat(others.length - 1) }),
    );
    let files = 0;
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 6 }), (damages) => {
        files += 1;
        let bytes: Uint8Array = whole.slice();
        for (const each of damages) {
          const [before, after] = [bytes.slice(0, each.at), bytes.slice(each.at)];
          switch (each.kind) {
            case 'flip':
              after[0] = (after[0] ?? 0) ^ each.mask;
              bytes = concatBytes([before, after]);
              break;
            case 'cut':
              bytes = before;
              break;
            case 'remove':
              bytes = concatBytes([before, after.subarray(each.length)]);
              break;
            case 'insert':
              bytes = concatBytes([before, each.bytes, after]);
              break;
            case 'copy':
              bytes = concatBytes([before, whole.subarray(each.from, each.from + each.length), after]);
              break;
            case 'foreign':
              bytes = concatBytes([before, others[each.frame] ?? before, after]);
          }
        }
        const { records } = readSegment(opener, bytes);
        expect(new Set(records.map(({ index }) => index)).size).toBe(records.length);
        for (const { index, plaintext } of records) {
          expect(Buffer.from(plaintext).toString()).toBe(TEXTS[index]);
        }
      }),
      { numRuns: 4000 },
    );
    process.stdout.write(`segment reader: ${files} damaged files, no crash, no wrong record\n`);
  });
});
