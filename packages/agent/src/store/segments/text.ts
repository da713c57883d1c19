const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** UTF-8 bytes of a text. */
export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of UTF-8 bytes. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
