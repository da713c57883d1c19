import { expect, test } from 'vitest';
import { ModelDamagedError } from './model-damaged-error.ts';
import { encodeModels, loadModels, type StoredModels } from './model-file.ts';

const model = {
  linear: {
    bits: 3,
    bias: -0.5,
    scale: 0.25,
    weights: Int8Array.of(-127, -1, 0, 1, 2, 3, 4, 127),
    dense: Float32Array.of(0.5),
  },
  calibration: { scores: Float32Array.of(-1, 1), probabilities: Float32Array.of(0.125, 0.875) },
};
const stored: StoredModels = {
  name: '2026-03-any',
  licence: 'any',
  url: model,
  text: model,
  urlCutoffs: { feed: '2026-04' },
  thresholds: { url: { warn: 0.5, block: 0.75 }, text: { warn: 0.25, block: 0.5 } },
};

test('models are loaded as stored, under a version from their bytes', () => {
  const { version, ...models } = loadModels(encodeModels(stored));
  const { name, ...rest } = stored;
  expect(models).toEqual(rest);
  expect(version).toMatch(/^2026-03-any-[0-9a-f]{8}$/);
  expect(
    loadModels(encodeModels({ ...stored, url: { ...model, linear: { ...model.linear, bias: 1 } } })).version,
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
    { ...model, linear: { ...model.linear, bits: 4 } },
    'it contains another number of weights than stated',
  ],
  [
    'a scale that is not a number',
    { ...model, linear: { ...model.linear, scale: Number.NaN } },
    'an invalid number',
  ],
  [
    'a calibration that falls',
    { ...model, calibration: { ...model.calibration, probabilities: Float32Array.of(0.9, 0.1) } },
    'is not monotonic',
  ],
  [
    'a calibration without points',
    { ...model, calibration: { scores: new Float32Array(), probabilities: new Float32Array() } },
    'is not monotonic',
  ],
])('a file with %s is rejected although its checksum matches', (_, url, message) => {
  expect(() => loadModels(encodeModels({ ...stored, url }))).toThrow(message);
});
