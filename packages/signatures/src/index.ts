export { algorithmsFor, SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from './algorithms.ts';
export { contentDigest, verifyContentDigest } from './content-digest.ts';
export { PublicKeyError, parsePublicKey } from './parse-public-key.ts';
export { parseSignatures } from './parse-signatures.ts';
export type { ParsedSignature } from './parsed-signature.ts';
export {
  CREATED_MAX_AGE_SECONDS,
  CREATED_MAX_AHEAD_SECONDS,
  REQUIRED_COMPONENTS,
  SIGNATURE_TAGS,
  type SignatureTag,
} from './profile.ts';
export {
  type RequestSigner,
  type RequestToSign,
  type SignatureHeaders,
  signRequest,
  signWith,
} from './sign-request.ts';
export type { SignedMessage } from './signature-base.ts';
export { SignatureError } from './signature-error.ts';
export { verifySignature } from './verify-signature.ts';
