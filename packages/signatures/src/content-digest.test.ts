import { describe, expect, test } from 'vitest';
import { contentDigest, verifyContentDigest } from './content-digest.ts';

// RFC 9530 Appendix B.1 digests the object with a line feed after it, RFC 9421 Appendix B.2 without.
const WITH_LF = Buffer.from('{"hello": "world"}\n');
const WITHOUT_LF = Buffer.from('{"hello": "world"}');
const SHA256_WITH_LF = 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:';
const SHA512_WITH_LF =
  'sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:';
const SHA256_WITHOUT_LF = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:';
const SHA512_WITHOUT_LF =
  'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:';

describe('contentDigest', () => {
  test('matches the published digests', () => {
    expect(contentDigest(WITH_LF)).toBe(SHA256_WITH_LF);
    expect(contentDigest(WITHOUT_LF)).toBe(SHA256_WITHOUT_LF);
    expect(contentDigest(new Uint8Array())).toBe('sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:');
  });
});

describe('verifyContentDigest', () => {
  test('accepts sha-256 alone, beside the published sha-512, and beside unknown algorithms', () => {
    expect(verifyContentDigest(SHA256_WITH_LF, WITH_LF)).toBe(true);
    expect(verifyContentDigest(`${SHA256_WITH_LF}, ${SHA512_WITH_LF}`, WITH_LF)).toBe(true);
    expect(verifyContentDigest(`${SHA512_WITHOUT_LF},${SHA256_WITHOUT_LF}`, WITHOUT_LF)).toBe(true);
    expect(verifyContentDigest(`md5=:AAAA:, ${SHA256_WITH_LF}, x=1`, WITH_LF)).toBe(true);
  });

  test.each([
    ['a missing header', undefined],
    ['an empty header', ''],
    ['a digest of another body', SHA256_WITHOUT_LF],
    ['sha-512 without sha-256', SHA512_WITH_LF],
    ['a correct sha-256 beside a wrong sha-512', `${SHA256_WITH_LF}, ${SHA512_WITHOUT_LF}`],
    ['a correct sha-512 beside a wrong sha-256', `${SHA256_WITHOUT_LF}, ${SHA512_WITH_LF}`],
    ['a wrong sha-256 after a correct one', `${SHA256_WITH_LF}, ${SHA256_WITHOUT_LF}`],
    ['only an unknown algorithm', 'md5=:AAAA:'],
    ['a digest that is a string', SHA256_WITH_LF.replaceAll(':', '"')],
    ['a digest that is a list', 'sha-256=(:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:)'],
    ['a digest without a value', 'sha-256'],
    ['a truncated digest', 'sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8Fa:'],
    ['broken syntax', `${SHA256_WITH_LF},`],
    ['the older Digest form', 'SHA-256=RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg='],
    ['an overlong header', `${SHA256_WITH_LF}, x="${'a'.repeat(1024)}"`],
  ])('refuses %s', (_, header) => {
    expect(verifyContentDigest(header, WITH_LF)).toBe(false);
  });

  test('refuses a body with any single bit changed', () => {
    for (let bit = 0; bit < WITH_LF.length * 8; bit += 1) {
      const changed = Buffer.from(WITH_LF);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(verifyContentDigest(SHA256_WITH_LF, changed)).toBe(false);
    }
  });
});
