/** Reads the settings of each example from the environment: the secret, which is required, and a port. */
export function readSettings(): { secrets: string[]; port: number } {
  const { WEBHOOK_SECRET, WEBHOOK_SECRET_NEXT, PORT = '3000' } = process.env;
  if (!WEBHOOK_SECRET) throw new Error('Set WEBHOOK_SECRET to the signing secret of the webhook.');
  // While the secret is rotated, both are valid.
  return {
    secrets: WEBHOOK_SECRET_NEXT ? [WEBHOOK_SECRET, WEBHOOK_SECRET_NEXT] : [WEBHOOK_SECRET],
    port: Number(PORT),
  };
}
