/** Gives tokens that run out. */
export interface TokenSource {
  /** Gives the token in force, and fetches one when there is none. */
  token(signals: readonly AbortSignal[]): Promise<string>;
  /** Hears that the service refused a token, so that the next call fetches another one. */
  reject(token: string): void;
}

/** An API key or token, where to get one, or a source of tokens such as `clientCredentials`. */
export type Credential = string | (() => string | Promise<string>) | TokenSource;

/** Gives the credential to send now. @throws TypeError when it could not stand in a header */
export async function resolveCredential(
  credential: Credential,
  signals: readonly AbortSignal[],
): Promise<string> {
  const token = await toToken(credential, signals);
  // Checked here because what `fetch` throws about a header quotes its value, which then lands in a log.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('The credential must be visible ASCII characters.');
  }
  return token;
}

function toToken(credential: Credential, signals: readonly AbortSignal[]): string | Promise<string> {
  if (typeof credential === 'string') return credential;
  return typeof credential === 'function' ? credential() : credential.token(signals);
}
