import { hash, randomBytes } from 'node:crypto';

export const RECOVERY_CODES = 10;
/** 80 random bits: a hash of them cannot be reversed by trying, so it needs no salt or stretching. */
const RANDOM_BYTES = 10;
/** Crockford's base32: no letters that look like digits or like each other. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = (RANDOM_BYTES * 8) / 5;
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Creates codes such as `x7k2-9mqa-30ht-w8vd`. They are shown once; only their hashes are stored. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = toBase32(randomBytes(RANDOM_BYTES));
    return (code.match(/.{4}/g) ?? []).join('-');
  });
}

/** Returns the code in a text that a person typed, or undefined if it contains none. */
export function toRecoveryCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s-]/g, '').toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return FORM.test(code) ? code : undefined;
}

/** Returns the form in which a code is stored. Each account has its own. */
export function hashRecoveryCode(accountId: string, code: string): string {
  return hash('sha256', `${accountId} ${toRecoveryCode(code) ?? ''}`, 'hex');
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{5}/g) ?? [];
  return groups.map((group) => ALPHABET.charAt(Number.parseInt(group, 2))).join('');
}
