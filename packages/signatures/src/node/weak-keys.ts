/**
 * Keys that are well-formed and yet prove nothing: with a small-order Ed25519 key a constant signature verifies for every
 * message, and an RSA modulus with a known factor has no secret.
 */

const P = 2n ** 255n - 19n;

/** One of the two y-coordinates of the four points of order 8; the other is its negative. */
const Y_OF_ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

/**
 * The y-coordinates of the eight points whose order divides 8: the identity, the points of order 2, 4 and 8. The sign of x
 * does not matter: with either sign the point is one of the eight, or not canonical (RFC 8032 §5.1.3).
 */
const SMALL_ORDER_Y: readonly bigint[] = [1n, P - 1n, 0n, Y_OF_ORDER_8, P - Y_OF_ORDER_8];

/** Describes what is wrong with an Ed25519 public key of 32 bytes; undefined for a sound key. */
export function weaknessOfEd25519(point: Uint8Array): string | undefined {
  const y = toInteger(Uint8Array.from(point).reverse()) & ((1n << 255n) - 1n);
  if (y >= P) return 'An Ed25519 key must have a canonical encoding, with y below 2^255 - 19.';
  if (SMALL_ORDER_Y.includes(y)) return 'An Ed25519 key must not be a point of small order.';
  return undefined;
}

/** The odd primes up to 751, which NIST SP 800-89 §5.3.3 requires a modulus not to have. OpenSSL checks the same. */
const SMALL_PRIMES = primesFrom3(751);
const PRODUCT_OF_SMALL_PRIMES = productOf(SMALL_PRIMES);

/**
 * The generator's primes of the ROCA weakness (CVE-2017-15361) are powers of 65537 modulo the product of the first
 * primes, and so is their product. One sound modulus in about 2^28 looks the same.
 */
const ROCA_FINGERPRINT = primesFrom3(167).map((prime) => ({ prime, powers: powersOf65537(prime) }));

/** Describes what is wrong with an RSA modulus; undefined for a sound one. */
export function weaknessOfModulus(bytes: Uint8Array): string | undefined {
  const modulus = toInteger(bytes);
  // One long division, and then short ones.
  const rest = modulus % PRODUCT_OF_SMALL_PRIMES;
  if (modulus % 2n === 0n || SMALL_PRIMES.some((prime) => rest % prime === 0n)) {
    return 'An RSA modulus must have no prime factor up to 751.';
  }
  if (ROCA_FINGERPRINT.every(({ prime, powers }) => powers.has(rest % prime))) {
    return 'The RSA key was created by a faulty generator (ROCA, CVE-2017-15361).';
  }
  return undefined;
}

function primesFrom3(limit: number): bigint[] {
  const primes: number[] = [];
  for (let candidate = 3; candidate <= limit; candidate += 2) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes.map(BigInt);
}

function productOf(factors: readonly bigint[]): bigint {
  return factors.reduce((product, factor) => product * factor, 1n);
}

function powersOf65537(prime: bigint): ReadonlySet<bigint> {
  const powers = new Set<bigint>();
  for (let power = 1n; !powers.has(power); power = (power * 65_537n) % prime) powers.add(power);
  return powers;
}

function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}
