import { sha256 } from '#digest';
import { isAsciiAlphanumeric } from '../../normalize/characters.ts';

const BITCOIN_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const RIPPLE_ALPHABET = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';
const BECH32_ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BECH32_GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** The constants of BIP 173 and BIP 350. */
const BECH32_CHECKS = new Set([1, 0x2bc830a3]);

export const MIN_WALLET_LENGTH = 25;
/** The longest is a shelley address of Cardano with 103, or an integrated one of Monero with 106. */
const MAX_WALLET_LENGTH = 110;
/** Version, hash and checksum of an address (25; 26 of Zcash), and of a private key for import (37, 38). */
const BASE58_BYTES = new Set([25, 26, 37, 38]);
const MAX_BASE58_LENGTH = 53;
const ETHEREUM = /^0x[0-9a-f]{40}$/i;
const MONERO = /^[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93}(?:[1-9A-HJ-NP-Za-km-z]{11})?$/;
const BECH32 = /^(?:bc|tb|ltc|addr|stake|cosmos|osmo|dgb|vtc|grs|btg|bitcoincash)1[02-9ac-hj-np-z]{6,100}$/;
/** Addresses of Solana have no checksum. */
const SOLANA = /^[1-9A-HJ-NP-Za-km-z]{43,44}$/;
const CASHADDR = /^[qp][02-9ac-hj-np-z]{41}$/;
const CASHADDR_PREFIX = 'bitcoincash';

/**
 * Returns whether a word is the address of a cryptocurrency, or a private key that controls one: by its checksum, where it
 * has one that can be computed quickly (base58check, bech32, CashAddr), and otherwise by its form (Ethereum, Monero). An
 * address of Solana is any 32 bytes, so a word such as `wallet` must be near.
 */
export function isWallet(word: string, isNamed: boolean): boolean {
  if (word.length < MIN_WALLET_LENGTH || word.length > MAX_WALLET_LENGTH) return false;
  if (word.length === 42 && ETHEREUM.test(word)) return true;
  if (word.length >= 95) return MONERO.test(word) || isBech32(word);
  if (isBech32(word) || (word.length === 42 && CASHADDR.test(word) && isCashAddress(word))) return true;
  if (word.length > MAX_BASE58_LENGTH) return false;
  return (
    isBase58Check(word, BITCOIN_ALPHABET) ||
    (word.startsWith('r') && isBase58Check(word, RIPPLE_ALPHABET)) ||
    (isNamed && SOLANA.test(word) && /\d/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word))
  );
}

function isBase58Check(word: string, alphabet: string): boolean {
  const bytes = fromBase58(word, alphabet);
  if (bytes === undefined || !BASE58_BYTES.has(bytes.length)) return false;
  const payload = bytes.subarray(0, -4);
  const digest = sha256(sha256(payload));
  return bytes.subarray(-4).every((byte, at) => byte === digest[at]);
}

function fromBase58(word: string, alphabet: string): Uint8Array | undefined {
  let value = 0n;
  for (const character of word) {
    const digit = alphabet.indexOf(character);
    if (digit === -1) return undefined;
    value = value * 58n + BigInt(digit);
  }
  let zeros = 0;
  while (word[zeros] === alphabet[0]) zeros += 1;
  const hex = value === 0n ? '' : value.toString(16);
  const digits = '00'.repeat(zeros) + (hex.length % 2 === 1 ? '0' : '') + hex;
  const byteAt = (at: number) => Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) => byteAt(at));
}

/** Capitals are for QR codes; both cases in one address are invalid (BIP 173). */
function isBech32(word: string): boolean {
  const written = word === word.toUpperCase() ? word.toLowerCase() : word;
  if (!BECH32.test(written)) return false;
  const separator = written.lastIndexOf('1');
  const prefix = Array.from(written.slice(0, separator), (character) => character.charCodeAt(0));
  const values = [
    ...prefix.map((code) => code >> 5),
    0,
    ...prefix.map((code) => code & 31),
    ...Array.from(written.slice(separator + 1), (character) => BECH32_ALPHABET.indexOf(character)),
  ];
  return BECH32_CHECKS.has(bech32Polymod(values));
}

function bech32Polymod(values: readonly number[]): number {
  let check = 1;
  for (const value of values) {
    const top = check >>> 25;
    check = ((check & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of BECH32_GENERATOR.entries()) if ((top >> bit) & 1) check ^= generator;
  }
  return check >>> 0;
}

const CASHADDR_GENERATOR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/** The prefix is often left out, and is part of the checksum. */
function isCashAddress(word: string): boolean {
  const prefix = Array.from(CASHADDR_PREFIX, (character) => character.charCodeAt(0) & 31);
  const values = [...prefix, 0, ...Array.from(word, (character) => BECH32_ALPHABET.indexOf(character))];
  let check = 1n;
  for (const value of values) {
    const top = check >> 35n;
    check = ((check & 0x07ffffffffn) << 5n) ^ BigInt(value);
    for (const [bit, generator] of CASHADDR_GENERATOR.entries()) {
      if ((top >> BigInt(bit)) & 1n) check ^= generator;
    }
  }
  return (check ^ 1n) === 0n;
}

/** Returns the end of the word at `start`. */
export function endOfWord(text: string, start: number, to: number): number {
  let end = start;
  while (end < to && isAsciiAlphanumeric(text.charCodeAt(end))) end += 1;
  return end;
}
