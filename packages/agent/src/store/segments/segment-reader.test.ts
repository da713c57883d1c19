import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { concatBytes } from '../../encoding/bytes.ts';
import { createStorageKey, toDataKey } from '../../node/keys/key-wrapping.ts';
import { encodeFrame, encodeHeader, toAdditionalData, toNonce } from './segment-format.ts';
import { segmentName } from './segment-name.ts';
import { readSegment, type SegmentKey } from './segment-reader.ts';

const SEGMENT = 'ordinary-00000001';
const TEXTS = Array.from({ length: 12 }, (_, index) => `record ${index} ${'x'.repeat(index * 7)}`);

function newKey(segment = SEGMENT): SegmentKey {
  return { segment, id: randomBytes(16), key: toDataKey(createStorageKey().secret) };
}

function framesOf(opener: SegmentKey, texts = TEXTS): Promise<Uint8Array[]> {
  return Promise.all(
    texts.map(async (text, index) => {
      const additionalData = toAdditionalData(opener.segment, opener.id, index);
      return encodeFrame(index, await opener.key.seal(toNonce(index), Buffer.from(text), additionalData));
    }),
  );
}

async function textsIn(opener: SegmentKey, bytes: Uint8Array) {
  const { records, damaged } = await readSegment(opener, bytes);
  const inOrder = [...records].sort((one, other) => one.index - other.index);
  return { texts: inOrder.map(({ plaintext }) => Buffer.from(plaintext).toString()), damaged };
}

describe('a segment reader', () => {
  let opener: SegmentKey;
  let frames: Uint8Array[];
  let whole: Uint8Array;

  beforeAll(async () => {
    opener = newKey();
    frames = await framesOf(opener);
    whole = concatBytes([encodeHeader(opener.id), ...frames]);
  });

  test('returns the records that were written', async () => {
    expect(await textsIn(opener, whole)).toEqual({ texts: TEXTS, damaged: 0 });
  });

  test('returns all but a last record cut off at any byte, and reports no damage', async () => {
    const last = frames.at(-1)?.length ?? 0;
    for (let length = whole.length - last; length < whole.length; length += 1) {
      expect(await textsIn(opener, whole.subarray(0, length))).toEqual({
        texts: TEXTS.slice(0, -1),
        damaged: 0,
      });
    }
  });

  test('continues after any single damaged byte, and counts the lost record', async () => {
    for (let at = 24; at < whole.length; at += 1) {
      const damaged = whole.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0x55;
      const read = await textsIn(opener, damaged);
      expect(read.texts).toHaveLength(TEXTS.length - 1);
      expect(read.texts.every((text) => TEXTS.includes(text))).toBe(true);
    }
  });

  test('counts a damaged record in the middle, and a damaged one at the end', async () => {
    const [middle, end] = [whole.slice(), whole.slice()];
    middle[24 + (frames[0]?.length ?? 0) + 20] = 0;
    end[end.length - 1] = (end.at(-1) ?? 0) ^ 1;
    expect((await textsIn(opener, middle)).damaged).toBe(1);
    expect((await textsIn(opener, end)).damaged).toBe(1);
  });

  test('returns each record once, for any order and number of copies', async () => {
    const [first, second, ...rest] = frames as [Uint8Array, Uint8Array, ...Uint8Array[]];
    const shuffled = concatBytes([encodeHeader(opener.id), second, first, second, ...rest, first]);
    expect(await textsIn(opener, shuffled)).toEqual({ texts: TEXTS, damaged: 0 });
  });

  test('reads no record of a segment with another key, id or name', async () => {
    expect((await textsIn(newKey(), whole)).texts).toEqual([]);
    expect((await textsIn({ ...opener, id: randomBytes(16) }, whole)).texts).toEqual([]);
    expect((await textsIn({ ...opener, segment: segmentName('priority', 1) }, whole)).texts).toEqual([]);
  });

  test('does not need the header of the log', async () => {
    expect((await textsIn(opener, concatBytes([randomBytes(24), ...frames]))).texts).toEqual(TEXTS);
  });

  test('does bounded work for a file of valid frames that do not open', async () => {
    const sealed = new Uint8Array(16);
    const header = encodeFrame(0, new Uint8Array(250_000)).subarray(0, 16);
    const hostile = concatBytes([
      encodeHeader(opener.id),
      ...Array.from({ length: 60_000 }, () => header),
      sealed,
    ]);
    const before = process.cpuUsage();
    expect((await textsIn(opener, hostile)).texts).toEqual([]);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });

  test('returns only records that were written, from thousands of damaged files', async () => {
    const foreign = newKey();
    const others = await framesOf(foreign);
    const position = fc.nat(whole.length - 1);
    const damage = fc.oneof(
      fc.record({ kind: fc.constant('flip' as const), at: position, mask: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ kind: fc.constant('cut' as const), at: position }),
      fc.record({ kind: fc.constant('remove' as const), at: position, length: fc.nat(200) }),
      fc.record({
        kind: fc.constant('insert' as const),
        at: position,
        bytes: fc.uint8Array({ maxLength: 64 }),
      }),
      fc.record({ kind: fc.constant('copy' as const), at: position, from: position, length: fc.nat(300) }),
      fc.record({ kind: fc.constant('foreign' as const), at: position, frame: fc.nat(others.length - 1) }),
    );
    let files = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 6 }), async (damages) => {
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
        const { records } = await readSegment(opener, bytes);
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
