/**
 * A body that a device has signed, as RFC 9421 has it. `@tps/agent` makes, sends and repeats these by itself: the
 * methods that take one are for those who sign by other means.
 */
export interface SignedRequest {
  /** The JSON text, byte for byte as it was signed. */
  readonly body: string;
  readonly headers: {
    readonly 'Content-Digest': string;
    readonly 'Signature-Input': string;
    readonly Signature: string;
  };
}

/** Gives what sends exactly the bytes that were signed. A signature counts once, so it is never sent again. */
export function signedInit<Body>({ body, headers }: SignedRequest) {
  return {
    params: { header: headers },
    body: body as unknown as Body,
    bodySerializer: (text: unknown) => text,
  };
}
