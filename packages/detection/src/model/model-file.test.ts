import { expect, test } from 'vitest';
import { DOCUMENT_FEATURES } from '../features/text/document-features.ts';
import { ModelDamagedError } from './model-damaged-error.ts';
import { encodeModels, loadModels, type StoredModels } from './model-file.ts';

const url = {
  linear: {
    bits: 3,
    bias: -0.5,
    scale: 0.25,
    weights: Int8Array.of(-127, -1, 0, 1, 2, 3, 4, 127),
    dense: new Float32Array(),
  },
  calibration: { scores: Float32Array.of(-1, 1), probabilities: Float32Array.of(0.125, 0.875) },
};
const text = { ...url, linear: { ...url.linear, dense: new Float32Array(DOCUMENT_FEATURES).fill(0.5) } };
const stored: StoredModels = {
  name: '2026-03-any',
  licence: 'any',
  url,
  text,
  urlCutoffs: { feed: '2026-04' },
  thresholds: { url: { warn: 0.5, block: 0.75 }, text: { warn: 0.25, block: 0.5 } },
};

test('models are loaded as stored, under a version from their bytes', () => {
  const { version, ...models } = loadModels(encodeModels(stored));
  const { name, ...rest } = stored;
  expect(models).toEqual(rest);
  expect(version).toMatch(/^2026-03-any-[0-9a-f]{8}$/);
  expect(
    loadModels(encodeModels({ ...stored, url: { ...url, linear: { ...url.linear, bias: 1 } } })).version,
  ).not.toBe(version);
});

test('the same models give the same bytes', () => {
  expect(encodeModels(stored)).toEqual(encodeModels(stored));
});

test('a file with one changed byte is rejected as damaged', () => {
  const file = encodeModels(stored);
  for (let at = 0; at < file.length; at += 1) {
    const damaged = file.slice();
    damaged[at] = (damaged[at] as number) ^ 0x41;
    expect(() => loadModels(damaged), `byte ${at}`).toThrow(ModelDamagedError);
  }
});

test('a truncated file is rejected as damaged', () => {
  const file = encodeModels(stored);
  for (let length = 0; length < file.length; length += 1) {
    expect(() => loadModels(file.slice(0, length)), `${length} bytes`).toThrow(ModelDamagedError);
  }
});

test('a file with a huge stated size is rejected before memory is allocated', () => {
  const file = encodeModels(stored);
  new DataView(file.buffer).setUint32(5, 0xffff_ffff, true);
  expect(() => loadModels(file)).toThrow('its stated size is too large');
});

test.each([
  [
    'weights that are too few',
    { ...url, linear: { ...url.linear, bits: 4 } },
    'it contains another number of weights than stated',
  ],
  [
    'a scale that is not a number',
    { ...url, linear: { ...url.linear, scale: Number.NaN } },
    'an invalid number',
  ],
  [
    'a calibration that falls',
    { ...url, calibration: { ...url.calibration, probabilities: Float32Array.of(0.9, 0.1) } },
    'is not monotonic',
  ],
  [
    'a calibration without points',
    { ...url, calibration: { scores: new Float32Array(), probabilities: new Float32Array() } },
    'is not monotonic',
  ],
])('a file with %s is rejected although its checksum matches', (_, damaged, message) => {
  expect(() => loadModels(encodeModels({ ...stored, url: damaged }))).toThrow(message);
});

test.each([
  ['link', { url: text }, `${DOCUMENT_FEATURES} dense features, but this version has 0`],
  ['text', { text: url }, `0 dense features, but this version has ${DOCUMENT_FEATURES}`],
])('a file whose %s model has another number of dense features is rejected', (_, other, message) => {
  const file = encodeModels({ ...stored, ...other });
  expect(() => loadModels(file)).toThrow(ModelDamagedError);
  expect(() => loadModels(file)).toThrow(message);
});
