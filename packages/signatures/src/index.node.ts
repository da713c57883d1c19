export * from './index.ts';
export { algorithmsFor } from './node/key-algorithms.ts';
export { PublicKeyError, parsePublicKey } from './node/parse-public-key.ts';
export { type RequestSigner, signRequest, signWith } from './node/sign-request.ts';
export { verifySignature } from './node/verify-signature.ts';
