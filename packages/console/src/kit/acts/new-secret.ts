const SECRET_BYTES = 32;

/** Creates a signing secret in the form of Standard Webhooks, so that their libraries work with it unchanged. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
