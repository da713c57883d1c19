import { describe, expect, test } from 'vitest';
import { Secret } from '../../../platform/crypto/secret.ts';
import { createRecoveryCodes, hashRecoveryCode, RECOVERY_CODES, toRecoveryCode } from './recovery-codes.ts';
import { createTotpSecret, findTotpStep, toTotpCode, toTotpUri } from './totp.ts';

/** RFC 6238, appendix B: the ASCII text 12345678901234567890 in base32. The RFC has eight digits; ours are its last six. */
const SECRET = new Secret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');

describe('codes of an authenticator app', () => {
  test.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [20_000_000_000, '353130', 666_666_666],
  ])('are those of RFC 6238 at %d s', (seconds, code, step) => {
    expect(findTotpStep(SECRET, { code, nowMs: seconds * 1000 })).toBe(step);
  });

  test.each([
    [-31, undefined],
    [-30, 37_037_036],
    [59, 37_037_036],
    [60, undefined],
  ])('are accepted one step early and late: %d s after their step began', (seconds, step) => {
    const nowMs = (37_037_036 * 30 + seconds) * 1000;
    expect(findTotpStep(SECRET, { code: '081804', nowMs })).toBe(step);
  });

  test.each(['', '08180', '0818041', '08180a', 'x7k2-9mqa-30ht-w8vd', '٠٨١٨٠٤'])('%j is none', (text) => {
    expect(toTotpCode(text)).toBeUndefined();
  });

  test('may be typed in groups', () => {
    expect(toTotpCode(' 081 804 ')).toBe('081804');
  });

  test('come from a secret of 160 bits, which the QR code contains', () => {
    const secret = createTotpSecret();
    expect(secret.reveal()).toMatch(/^[A-Z2-7]{32}$/);
    expect(secret.reveal()).not.toBe(createTotpSecret().reveal());
    const uri = new URL(toTotpUri(secret, { issuer: 'TPS', email: 'a&b@example.com' }).reveal());
    expect(uri.protocol).toBe('otpauth:');
    expect(uri.searchParams.get('secret')).toBe(secret.reveal());
    expect(decodeURIComponent(uri.pathname)).toContain('a&b@example.com');
  });
});

describe('recovery codes', () => {
  test('are ten different ones of 80 bits', () => {
    const codes = createRecoveryCodes();
    expect(new Set(codes).size).toBe(RECOVERY_CODES);
    for (const code of codes) expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  });

  test('may be typed in capitals, without hyphens, and with letters that look like digits', () => {
    expect(toRecoveryCode(' X7K2 9MQA-3OHT-W8VL ')).toBe('x7k29mqa30htw8v1');
    expect(toRecoveryCode('x7k2-9mqa-30ht')).toBeUndefined();
  });

  test('have another hash for each account', () => {
    const [code = ''] = createRecoveryCodes();
    expect(hashRecoveryCode('acc_a', code)).not.toBe(hashRecoveryCode('acc_b', code));
    expect(hashRecoveryCode('acc_a', code)).toBe(hashRecoveryCode('acc_a', code.toUpperCase()));
  });
});
