import { inflateRawSync } from 'node:zlib';

/** Inflates raw deflated bytes. @throws Error when they are damaged, or inflate to more bytes than the limit */
export function inflateRaw(deflated: Uint8Array, limitBytes: number): Uint8Array {
  return new Uint8Array(inflateRawSync(deflated, { maxOutputLength: limitBytes }));
}
