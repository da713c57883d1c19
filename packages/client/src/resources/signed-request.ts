/**
 * A request signed by a device (RFC 9421). `@tps/agent` creates, sends and repeats these; methods with this parameter are
 * for programs that sign by other means.
 */
export interface SignedRequest {
  /** The JSON text, exactly as signed. */
  readonly body: string;
  readonly headers: {
    readonly 'Content-Digest': string;
    readonly 'Signature-Input': string;
    readonly Signature: string;
  };
}

/** Returns the init that sends exactly the signed bytes. A signature is accepted once, so it is never sent again. */
export function signedInit<Body>({ body, headers }: SignedRequest) {
  return {
    params: { header: headers },
    body: body as unknown as Body,
    bodySerializer: (text: unknown) => text,
  };
}
