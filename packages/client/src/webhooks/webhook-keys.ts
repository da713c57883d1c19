const HMAC_SHA256 = { name: 'HMAC', hash: 'SHA-256' } as const;
const STANDARD_PREFIX = 'whsec_';
const BASE64 = /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export type WebhookKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** The two keys that the service derives from each secret. They differ only for `whsec_` secrets. */
export interface WebhookKeys {
  /** For `X-Service-Signature`: the UTF-8 bytes of the secret. */
  readonly body: readonly WebhookKey[];
  /** For `webhook-signature`: the decoded bytes of `whsec_<base64>`, otherwise the same as `body`. */
  readonly standard: readonly WebhookKey[];
}

/**
 * Checks the secrets, so that an error appears at the start and not with the first delivery.
 *
 * @throws TypeError unless it is an array of at least one non-empty string, and what follows `whsec_` is padded Base64
 */
export function assertSecrets(secrets: readonly string[]): void {
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new TypeError('secrets must be an array of at least one signing secret.');
  }
  if (secrets.some((secret) => typeof secret !== 'string' || secret === '')) {
    throw new TypeError('Each of secrets must be a non-empty string. Is the environment variable set?');
  }
  if (secrets.some((secret) => secret.startsWith(STANDARD_PREFIX) && !BASE64.test(encodedOf(secret)))) {
    throw new TypeError(
      'A secret that begins with whsec_ must continue with padded Base64: check that it is complete',
    );
  }
}

export async function importWebhookKeys(secrets: readonly string[]): Promise<WebhookKeys> {
  const [body, standard] = await Promise.all([
    Promise.all(secrets.map((secret) => importKey(new TextEncoder().encode(secret)))),
    Promise.all(secrets.map((secret) => importKey(toStandardKey(secret)))),
  ]);
  return { body, standard };
}

/** Whether one of the signatures was made with one of the keys. Each comparison takes constant time. */
export async function isSignedByAny(
  keys: readonly WebhookKey[],
  signatures: readonly Uint8Array[],
  data: Uint8Array,
): Promise<boolean> {
  // Copies, because browsers accept no memory that threads share.
  const bytes = new Uint8Array(data);
  const checks = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify(HMAC_SHA256, key, new Uint8Array(signature), bytes)),
  );
  return (await Promise.all(checks)).includes(true);
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<WebhookKey> {
  return crypto.subtle.importKey('raw', bytes, HMAC_SHA256, false, ['verify']);
}

function toStandardKey(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith(STANDARD_PREFIX)) return new TextEncoder().encode(secret);
  return Uint8Array.from(atob(encodedOf(secret)), (character) => character.charCodeAt(0));
}

function encodedOf(secret: string): string {
  return secret.slice(STANDARD_PREFIX.length);
}
