/** Returns whether a key has signed these bytes. */
export type SignatureCheck = (
  signed: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
) => Promise<boolean>;
