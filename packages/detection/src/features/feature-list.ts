/**
 * The features of one piece of content: positions in a model's weights, with a value each. The list is
 * cleared and filled again, so that scoring allocates nothing.
 */
export class FeatureList {
  indices: Uint32Array = new Uint32Array(512);
  values: Float32Array = new Float32Array(512);
  length = 0;
  private readonly mask: number;
  private readonly denseFrom: number;

  /** @param bits of the model: hashed features share 2^bits buckets, and the dense features follow them */
  constructor(bits: number) {
    this.denseFrom = 2 ** bits;
    this.mask = this.denseFrom - 1;
  }

  clear(): void {
    this.length = 0;
  }

  /** Adds a feature by its hash. */
  addHash(hash: number, value = 1): void {
    this.push(hash & this.mask, value);
  }

  /** Adds a feature that has its own position. */
  addDense(index: number, value: number): void {
    if (value !== 0) this.push(this.denseFrom + index, value);
  }

  /**
   * Multiplies the values that were added since `start`, for instance to limit the influence of long content.
   */
  scaleFrom(start: number, factor: number): void {
    for (let at = start; at < this.length; at += 1) this.values[at] = (this.values[at] as number) * factor;
  }

  private push(index: number, value: number): void {
    if (this.length === this.indices.length) this.grow();
    this.indices[this.length] = index;
    this.values[this.length] = value;
    this.length += 1;
  }

  private grow(): void {
    const { indices, values } = this;
    this.indices = new Uint32Array(indices.length * 2);
    this.values = new Float32Array(values.length * 2);
    this.indices.set(indices);
    this.values.set(values);
  }
}
