/** A source of tokens that expire. */
export interface TokenSource {
  /** Returns the valid token. Fetches one if necessary. */
  token(signals: readonly AbortSignal[]): Promise<string>;
  /** Called when the service refused the token, so that the next call fetches another one. */
  reject(token: string): void;
}

/** An API key or token, a function that returns one, or a source of tokens such as `clientCredentials`. */
export type Credential = string | (() => string | Promise<string>) | TokenSource;

/** Returns the credential to send now. @throws TypeError when it cannot be sent in a header */
export async function resolveCredential(
  credential: Credential,
  signals: readonly AbortSignal[],
): Promise<string> {
  const token = await toToken(credential, signals);
  // Checked here because the error of `fetch` for an invalid header quotes its value, which would end up in a log.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('The credential must consist of visible ASCII characters.');
  }
  return token;
}

function toToken(credential: Credential, signals: readonly AbortSignal[]): string | Promise<string> {
  if (typeof credential === 'string') return credential;
  return typeof credential === 'function' ? credential() : credential.token(signals);
}
