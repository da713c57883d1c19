import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** What a browser returns for options of ours, as a form submits it: not verified yet. */
export type PasskeyAnswer = AuthenticationResponseJSON | RegistrationResponseJSON;

/** Answers of authenticators have a few hundred bytes, with an attestation a few thousand. */
const MAX_ANSWER_LENGTH = 16_384;

/** The members of a response that are decoded from base64url. */
const ENCODED = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];

/** Parses an answer. Returns undefined for any other text. */
export function parseAnswer<Answer extends PasskeyAnswer>(text: string): Answer | undefined {
  if (text.length > MAX_ANSWER_LENGTH) return undefined;
  const value = parseObject(text);
  if (typeof value?.id !== 'string' || !isObject(value.response)) return undefined;
  const { rawId, response } = value;
  // Decoding an object that claims a length would copy that many bytes.
  const texts = [rawId, ...ENCODED.map((member) => response[member])];
  if (texts.some((one) => one !== undefined && typeof one !== 'string')) return undefined;
  return value as unknown as Answer;
}

/** Returns the challenge that an answer claims to answer. */
export function challengeOf(answer: PasskeyAnswer): string | undefined {
  const { clientDataJSON } = answer.response as { clientDataJSON?: unknown };
  if (typeof clientDataJSON !== 'string') return undefined;
  const challenge = parseObject(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))?.challenge;
  return typeof challenge === 'string' ? challenge : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
