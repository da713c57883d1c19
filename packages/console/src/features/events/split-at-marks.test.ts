import { expect, test } from 'vitest';
import { splitAtMarks } from './split-at-marks.ts';

test('a text is split at the marks of redaction, and nothing else', () => {
  const hash = `url:sha256:${'ab'.repeat(32)}`;
  const parts = splitAtMarks(`[phone] wrote ${hash} to [email][name], not [phone number] or url:sha256:ab`);
  expect(parts.map(({ part }) => part).join('')).toContain('[phone number] or url:sha256:ab');
  expect(parts.flatMap(({ words }) => words ?? [])).toEqual(['phone', 'link abababab…', 'email', 'name']);
  expect(splitAtMarks('')).toEqual([]);
});
