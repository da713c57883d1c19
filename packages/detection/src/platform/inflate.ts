import { inflateSync } from 'fflate';

/** Inflates raw deflated bytes. @throws Error when they are damaged, or inflate to more bytes than the limit */
export function inflateRaw(deflated: Uint8Array, limitBytes: number): Uint8Array {
  // With a place to write to, fflate drops what does not fit. One byte more shows that something did not.
  const inflated = inflateSync(deflated, { out: new Uint8Array(limitBytes + 1) });
  if (inflated.length > limitBytes) throw new Error(`inflates to more than ${limitBytes} bytes`);
  return inflated;
}
