/** The signature algorithms that the profile allows. */
export const SIGNATURE_ALGORITHMS = [
  'rsa-v1_5-sha256',
  'rsa-pss-sha512',
  'ecdsa-p256-sha256',
  'ed25519',
] as const;

/** An algorithm of the IANA registry "HTTP Signature Algorithms" (RFC 9421 §3.3) that this profile allows. */
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

export function isSignatureAlgorithm(name: string): name is SignatureAlgorithm {
  return (SIGNATURE_ALGORITHMS as readonly string[]).includes(name);
}
