import { ModelDamagedError } from './model-damaged-error.ts';

/** Reads the output of a PayloadWriter, never beyond its end. */
export class PayloadReader {
  private readonly payload: Uint8Array;
  private readonly view: DataView;
  private at = 0;

  constructor(payload: Uint8Array) {
    this.payload = payload;
    this.view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  }

  number(): number {
    const value = this.view.getFloat64(this.advance(8), true);
    if (!Number.isFinite(value)) throw new ModelDamagedError('it contains an invalid number');
    return value;
  }

  text(): string {
    return new TextDecoder().decode(this.bytes());
  }

  bytes(): Uint8Array {
    const length = this.view.getUint32(this.advance(4), true);
    const start = this.advance(length);
    return this.payload.subarray(start, start + length);
  }

  floats(): Float32Array {
    const bytes = this.bytes();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const values = Float32Array.from({ length: bytes.length >> 2 }, (_, at) => view.getFloat32(at * 4, true));
    if (!values.every(Number.isFinite)) throw new ModelDamagedError('it contains an invalid number');
    return values;
  }

  /** Checks that nothing follows. */
  end(): void {
    if (this.at !== this.payload.length) throw new ModelDamagedError('it contains data after the models');
  }

  private advance(bytes: number): number {
    const start = this.at;
    if (start + bytes > this.payload.length) throw new ModelDamagedError('it ends too early');
    this.at = start + bytes;
    return start;
  }
}
