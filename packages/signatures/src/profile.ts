/** What a signature must cover. With less, a captured signature could be used for another route or another body. */
export const REQUIRED_COMPONENTS = ['@method', '@path', 'content-digest'] as const;

/** The values of `tag` that the service accepts. */
export const SIGNATURE_TAGS = ['tps-event', 'tps-register', 'tps-rotate', 'tps-renew'] as const;

/**
 * The purpose of a signature: `tps-register` registers a device, `tps-rotate` replaces its key (two signatures, labelled
 * `old` and `new`), `tps-renew` renews its credential, and `tps-event` is for everything else that a device sends.
 */
export type SignatureTag = (typeof SIGNATURE_TAGS)[number];

/** How old `created` may be, in seconds, and so how long a verifier must remember a nonce. */
export const CREATED_MAX_AGE_SECONDS = 300;

/** How far ahead of the verifier's clock `created` may be, in seconds. */
export const CREATED_MAX_AHEAD_SECONDS = 60;

/** 128 random bits: a device does not repeat one by chance within the window. */
export const NONCE_BYTES = 16;

// 16 bytes are 22 characters of unpadded base64url.
const NONCE = /^[A-Za-z0-9_-]{22,128}$/;

export function isNonce(value: string): boolean {
  return NONCE.test(value);
}
