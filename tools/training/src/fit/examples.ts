import type { FeatureList } from '@tps/detection/training';

/** The rows of a training: sparse features in one array, with a label and a weight per row. */
export class Examples {
  indices = new Uint32Array(1 << 16);
  values = new Float32Array(1 << 16);
  offsets = new Uint32Array(1 << 10);
  threats = new Uint8Array(1 << 10);
  weights = new Float32Array(1 << 10);
  length = 0;

  /** Copies the features, so that the caller can reuse the list. */
  add(features: FeatureList, threat: boolean, weight = 1): void {
    const start = this.offsets[this.length] as number;
    const end = start + features.length;
    while (end > this.indices.length) {
      this.indices = grown(this.indices, Uint32Array);
      this.values = grown(this.values, Float32Array);
    }
    if (this.length + 1 >= this.offsets.length) {
      this.offsets = grown(this.offsets, Uint32Array);
      this.threats = grown(this.threats, Uint8Array);
      this.weights = grown(this.weights, Float32Array);
    }
    this.indices.set(features.indices.subarray(0, features.length), start);
    this.values.set(features.values.subarray(0, features.length), start);
    this.threats[this.length] = threat ? 1 : 0;
    this.weights[this.length] = weight;
    this.length += 1;
    this.offsets[this.length] = end;
  }

  /** Multiplies every occurrence of each feature by its factor. */
  scale(factors: Float32Array): void {
    const end = this.offsets[this.length] as number;
    for (let at = 0; at < end; at += 1) {
      this.values[at] = (this.values[at] as number) * (factors[this.indices[at] as number] ?? 1);
    }
  }
}

function grown<T extends Uint32Array | Float32Array | Uint8Array>(
  values: T,
  Kind: new (length: number) => T,
): T {
  const larger = new Kind(values.length * 2);
  larger.set(values);
  return larger;
}
