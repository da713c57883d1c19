import { randomBytes } from 'node:crypto';
import type { CommandContext } from '../command-context.ts';
import { readSecretFile } from '../connection/secret-input.ts';
import { printFields, printSecret } from '../output/print.ts';
import type { Session } from '../session.ts';
import type { Fields } from './api-command.ts';

/** As long as the service's credentials, and within the limits of a secret. */
const SECRET_BYTES = 32;

export interface SecretFlag {
  readonly secretFile?: string;
}

/** A secret that signs posts, and what of it is shown. */
export interface SigningSecret {
  readonly secret: string;
  /** A generated secret is shown, because only this program knows it; a given secret is not. */
  readonly shown: { readonly secret?: string };
}

export function newSigningSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Reads the secret from the file of `--secret-file`, or generates one. */
export async function signingSecretFrom(
  context: CommandContext,
  { secretFile }: SecretFlag,
): Promise<SigningSecret> {
  if (secretFile !== undefined) return { secret: await readSecretFile(context, secretFile), shown: {} };
  const secret = newSigningSecret();
  return { secret, shown: { secret } };
}

/** Prints an item, with its secret if that is shown. `advice` is what to do if it could not be shown. */
export function printWithSecret(
  session: Session,
  { value, fields }: { readonly value: object; readonly fields: Fields },
  { shown: { secret }, advice }: Pick<SigningSecret, 'shown'> & { readonly advice: string },
): Promise<void> {
  if (secret === undefined) return printFields(session, value, fields);
  const item = { value: { ...value, secret }, fields: [...fields, ['secret', secret]] as Fields };
  return printSecret(session, item, async () => `The secret could not be shown. ${advice}`);
}
