import type { Calibration } from './calibration.ts';
import { ModelDamagedError } from './model-damaged-error.ts';
import type { CalibratedModel } from './models.ts';
import type { PayloadReader } from './payload-reader.ts';
import type { PayloadWriter } from './payload-writer.ts';

const MAX_BITS = 20;

export function writeCalibratedModel(writer: PayloadWriter, { linear, calibration }: CalibratedModel): void {
  writer.number(linear.bits);
  writer.number(linear.bias);
  writer.number(linear.scale);
  writer.bytes(new Uint8Array(linear.weights.buffer, linear.weights.byteOffset, linear.weights.length));
  writer.floats(linear.dense);
  writer.floats(calibration.scores);
  writer.floats(calibration.probabilities);
}

/** Reads a model with hashed features and `denseFeatures` dense ones; another number of these is rejected. */
export function readCalibratedModel(reader: PayloadReader, denseFeatures: number): CalibratedModel {
  const bits = reader.number();
  const bias = reader.number();
  const scale = reader.number();
  const weights = new Int8Array(reader.bytes().slice().buffer);
  const dense = reader.floats();
  if (!Number.isInteger(bits) || bits < 1 || bits > MAX_BITS || weights.length !== 2 ** bits) {
    throw new ModelDamagedError('it contains another number of weights than stated');
  }
  if (dense.length !== denseFeatures) {
    throw new ModelDamagedError(
      `it was trained with ${dense.length} dense features, but this version has ${denseFeatures}`,
    );
  }
  return { linear: { bits, bias, scale, weights, dense }, calibration: readCalibration(reader) };
}

function readCalibration(reader: PayloadReader): Calibration {
  const scores = reader.floats();
  const probabilities = reader.floats();
  const rise = (values: Float32Array) =>
    values.every((value, at) => at === 0 || value >= (values[at - 1] as number));
  if (
    scores.length === 0 ||
    scores.length !== probabilities.length ||
    !rise(scores) ||
    !rise(probabilities)
  ) {
    throw new ModelDamagedError('its calibration is not monotonic');
  }
  return { scores, probabilities };
}
