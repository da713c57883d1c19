/** For any platform: signs requests, and reads signatures. `index.node.ts` adds what uses the keys of Node. */
export { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from './algorithms.ts';
export { contentDigest, verifyContentDigest } from './content-digest.ts';
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
  type SignBytes,
  signRequest,
} from './sign-request.ts';
export type { SignedMessage } from './signature-base.ts';
export { SignatureError } from './signature-error.ts';
