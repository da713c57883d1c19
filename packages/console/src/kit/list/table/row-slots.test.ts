import { expect, test } from 'vitest';
import { RowSlots } from './row-slots.ts';

const FRAME = { idAt: (index: number) => `item ${index}`, count: 1_000, limit: 3, focused: undefined };

const range = (first: number, count: number) => Array.from({ length: count }, (_, place) => first + place);

/** Renders frames until all wanted rows are shown. Returns how many it took. */
function showAll(slots: RowSlots, wanted: readonly number[]): number {
  for (let frames = 1; ; frames += 1) if (slots.next(wanted, FRAME).isComplete) return frames;
}

test('a row that stays keeps its elements, and one that comes takes those of a row that left', () => {
  const slots = new RowSlots();
  const before = new Map(slots.next(range(0, 10), FRAME).rows.map(({ index, slot }) => [index, slot]));
  const { rows } = slots.next([5, ...range(3, 10)], FRAME);
  expect(rows.map(({ slot }) => slot)).toEqual(range(0, 10));
  for (const { index, slot } of rows) if (before.has(index)) expect(slot).toBe(before.get(index));
  expect(new Set(rows.map(({ index }) => index))).toEqual(new Set(range(3, 10)));
});

test('an item keeps its elements when rows are added above it', () => {
  const slots = new RowSlots();
  const before = new Map(slots.next(range(0, 10), FRAME).rows.map(({ index, slot }) => [index, slot]));
  const shifted = { ...FRAME, idAt: (index: number) => (index < 2 ? `new ${index}` : `item ${index - 2}`) };
  const { rows } = slots.next(range(0, 10), shifted);
  for (const { index, slot } of rows.filter(({ index }) => index >= 2))
    expect(slot).toBe(before.get(index - 2));
});

test('the elements with the focus are given to no other item', () => {
  const slots = new RowSlots();
  slots.next(range(0, 10), FRAME);
  const { rows } = slots.next(range(3, 10), { ...FRAME, focused: 1 });
  expect(rows).toHaveLength(10);
  expect(rows.map(({ slot }) => slot)).not.toContain(1);
});

test('first rows are shown at once, those of a jump in several frames, the most wanted first', () => {
  const slots = new RowSlots();
  expect(showAll(slots, range(0, 20))).toBe(1);
  const wanted = [510, ...range(500, 10), ...range(511, 9)];
  const { rows, isComplete } = slots.next(wanted, FRAME);
  expect(isComplete).toBe(false);
  expect(
    rows
      .map(({ index }) => index)
      .filter((index) => index >= 500)
      .sort(),
  ).toEqual([500, 501, 510]);
  expect(showAll(slots, wanted)).toBe(6);
});

test('no two rows have the same elements, however the list grows, shrinks and jumps', () => {
  const slots = new RowSlots();
  for (const wanted of [range(0, 3), range(0, 30), range(50, 12), [4, ...range(90, 5)], [], range(7, 20)]) {
    showAll(slots, wanted);
    const { rows } = slots.next(wanted, FRAME);
    expect(rows.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...wanted].sort((a, b) => a - b));
    expect(new Set(rows.map(({ slot }) => slot)).size).toBe(rows.length);
  }
});

test('a row that is no longer in the list, or has another item, is not shown meanwhile', () => {
  const slots = new RowSlots();
  showAll(slots, range(100, 20));
  const idAt = (index: number) => `other ${index}`;
  const { rows } = slots.next(range(0, 10), { ...FRAME, idAt, count: 110 });
  expect(rows.every(({ index }) => index < 10)).toBe(true);
});
