const KEY_TYPES = { rsa: 'RSA', p256: 'P-256', ed25519: 'Ed25519' } as const;

/** Returns the type of a device's key as people read it: `RSA, 2048 bits`. */
export function keyText({
  type,
  bits,
}: {
  readonly type: keyof typeof KEY_TYPES;
  readonly bits: number;
}): string {
  return `${KEY_TYPES[type]}, ${bits} bits`;
}
