/** Returns the bytes of base64 in either alphabet (RFC 4648 §4 and §5). */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(text, 'base64');
}
