import { toEmailKey } from '../account.ts';
import type { BreachedPasswords } from './breached-passwords.ts';
import { normalized } from './password-hasher.ts';

/** NIST SP 800-63B, section 3.1.1.2: length instead of composition rules. */
export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 256;

export interface PasswordRules {
  /** Passwords that attackers try first, if the operator has a list of them. */
  readonly breached: BreachedPasswords | undefined;
}

/** Returns why a person cannot have this password, in words for that person; undefined if they can. */
export async function findPasswordProblem(
  { breached }: PasswordRules,
  { password, email }: { password: string; email: string },
): Promise<string | undefined> {
  const text = normalized(password);
  // Characters as people count them: an emoji is two UTF-16 units.
  const length = [...text].length;
  if (length < MIN_PASSWORD_LENGTH) return `The password needs at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (length > MAX_PASSWORD_LENGTH) return `The password can have at most ${MAX_PASSWORD_LENGTH} characters.`;
  if (toEmailKey(text) === toEmailKey(email)) return 'The password cannot be your e-mail address.';
  if (await breached?.has(text)) {
    return 'This password is in a list of stolen passwords, which attackers try first. Choose another one.';
  }
  return undefined;
}
