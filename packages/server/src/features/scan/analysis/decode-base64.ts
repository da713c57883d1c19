const ALPHABET = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Decodes Base64 from inside a JSON string, where `/` may be escaped as `\/`. Returns undefined for anything but Base64
 * with padding (RFC 4648, section 4).
 */
export function decodeBase64(bytes: Buffer): Buffer | undefined {
  const text = withoutEscapes(bytes.toString('latin1'));
  if (text === undefined || text.length % 4 !== 0 || !ALPHABET.test(text)) return undefined;
  return Buffer.from(text, 'base64');
}

function withoutEscapes(text: string): string | undefined {
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return undefined;
  }
}
