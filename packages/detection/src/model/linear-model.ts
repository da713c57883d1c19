import type { FeatureList } from '../features/feature-list.ts';

/** A logistic model over hashed features, one byte each, and a few dense ones. */
export interface LinearModel {
  /** There are 2^bits buckets. */
  readonly bits: number;
  readonly bias: number;
  /** The value of a weight of 1. */
  readonly scale: number;
  readonly weights: Int8Array;
  readonly dense: Float32Array;
}

/** Returns the log-odds, before calibration. */
export function scoreLinear(
  { bits, bias, scale, weights, dense }: LinearModel,
  { indices, values, length }: FeatureList,
): number {
  const denseFrom = 2 ** bits;
  let hashed = 0;
  let rest = bias;
  for (let at = 0; at < length; at += 1) {
    const index = indices[at] as number;
    const value = values[at] as number;
    if (index < denseFrom) hashed += (weights[index] as number) * value;
    else rest += (dense[index - denseFrom] ?? 0) * value;
  }
  return rest + hashed * scale;
}
