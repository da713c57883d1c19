/**
 * Says in one sentence why a message's signatures cannot be read or made. The sentence may be shown to the
 * caller: it names header fields and parameters, never a key, a digest or a signature value.
 */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}
