/** Writes numbers, names and tables one after another, little-endian. */
export class PayloadWriter {
  private readonly parts: Uint8Array[] = [];

  number(value: number): void {
    const part = new Uint8Array(8);
    new DataView(part.buffer).setFloat64(0, value, true);
    this.parts.push(part);
  }

  text(value: string): void {
    this.bytes(new TextEncoder().encode(value));
  }

  /** Writes the length first. */
  bytes(value: Uint8Array): void {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, value.length, true);
    this.parts.push(length, value);
  }

  floats(values: Float32Array): void {
    const part = new Uint8Array(values.length * 4);
    const view = new DataView(part.buffer);
    for (const [at, value] of values.entries()) view.setFloat32(at * 4, value, true);
    this.bytes(part);
  }

  toBytes(): Uint8Array {
    const all = new Uint8Array(this.parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
