import { importVerifyingKey } from '#verifying-key';

/** Whether a text is an Ed25519 public key that can verify bundles: SubjectPublicKeyInfo in DER, base64. */
export async function isVerifyingKey(publicKeyB64: string): Promise<boolean> {
  return (await importVerifyingKey(publicKeyB64)) !== undefined;
}
