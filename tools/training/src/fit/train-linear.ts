import type { LinearModel } from '@tps/detection/training';
import { createRandom } from '../rows/split.ts';
import type { Examples } from './examples.ts';

export interface LinearTraining {
  readonly bits: number;
  readonly denseCount: number;
  readonly epochs: number;
  /** The learning rate of FTRL-proximal (alpha). */
  readonly rate: number;
  /** Keeps the weights of rare features at exactly zero. Not for dense features. */
  readonly l1: number;
  readonly l2: number;
  readonly seed: number;
}

/** Before quantization to bytes. */
export interface TrainedWeights {
  readonly bits: number;
  readonly bias: number;
  /** Buckets first, then dense features. */
  readonly weights: Float32Array;
}

const BETA = 1;

/** Fits a logistic model by FTRL-proximal (McMahan et al., 2013), in an order that the seed determines. */
export function trainLinear(examples: Examples, training: LinearTraining): TrainedWeights {
  const { bits, denseCount, epochs, seed } = training;
  const size = 2 ** bits + denseCount;
  const state = {
    weights: new Float32Array(size + 1),
    sums: new Float32Array(size + 1),
    squares: new Float32Array(size + 1),
  };
  const order = Uint32Array.from({ length: examples.length }, (_, at) => at);
  const random = createRandom(seed);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    shuffle(order, random);
    for (const at of order) learn(state, examples, at, training);
  }
  return { bits, bias: state.weights[size] as number, weights: state.weights.subarray(0, size) };
}

interface State {
  readonly weights: Float32Array;
  readonly sums: Float32Array;
  readonly squares: Float32Array;
}

function learn(state: State, examples: Examples, at: number, training: LinearTraining): void {
  const { indices, values, offsets, threats, weights } = examples;
  const biasAt = state.weights.length - 1;
  const hashed = 2 ** training.bits;
  const start = offsets[at] as number;
  const end = offsets[at + 1] as number;
  let score = state.weights[biasAt] as number;
  for (let each = start; each < end; each += 1) {
    score += (state.weights[indices[each] as number] as number) * (values[each] as number);
  }
  const wrong = (1 / (1 + Math.exp(-score)) - (threats[at] as number)) * (weights[at] as number);
  for (let each = start; each < end; each += 1) {
    const index = indices[each] as number;
    const l1 = index < hashed ? training.l1 : 0;
    update(state, index, wrong * (values[each] as number), l1, training);
  }
  update(state, biasAt, wrong, 0, training);
}

function update(
  { weights, sums, squares }: State,
  index: number,
  gradient: number,
  l1: number,
  { rate, l2 }: LinearTraining,
): void {
  const before = squares[index] as number;
  const after = before + gradient * gradient;
  const sum =
    (sums[index] as number) +
    gradient -
    ((Math.sqrt(after) - Math.sqrt(before)) / rate) * (weights[index] as number);
  sums[index] = sum;
  squares[index] = after;
  const beyond = Math.abs(sum) - l1;
  weights[index] = beyond <= 0 ? 0 : (-Math.sign(sum) * beyond) / ((BETA + Math.sqrt(after)) / rate + l2);
}

function shuffle(order: Uint32Array, random: () => number): void {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const swapped = order[at] as number;
    order[at] = order[other] as number;
    order[other] = swapped;
  }
}

/**
 * Quantizes each weight to a byte. The largest ten-thousandth is clipped, so that the other weights keep
 * their precision.
 */
export function toLinearModel({ bits, bias, weights }: TrainedWeights): LinearModel {
  const hashed = weights.subarray(0, 2 ** bits);
  const sizes = Float32Array.from(
    hashed.filter((weight) => weight !== 0),
    Math.abs,
  ).sort();
  const largest = sizes[Math.floor((sizes.length - 1) * 0.9999)] ?? 1;
  const scale = largest / 127;
  const toByte = (weight: number) => Math.max(-127, Math.min(127, Math.round(weight / scale)));
  return { bits, bias, scale, weights: Int8Array.from(hashed, toByte), dense: weights.slice(2 ** bits) };
}
