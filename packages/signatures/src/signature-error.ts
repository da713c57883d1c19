/**
 * The signatures of a message cannot be parsed or created. The message says why in one sentence and may be shown to the
 * caller: it names header fields and parameters, never a key, a digest or a signature value.
 */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}
