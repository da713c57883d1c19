import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { Type } from 'typebox';
import { compileBodyValidator } from '../../../platform/http/validation.ts';

/** What a browser returns for options of ours, as a form submits it: not verified yet. */
export type PasskeyAnswer = AuthenticationResponseJSON | RegistrationResponseJSON;

/** Answers of authenticators have a few hundred bytes, with an attestation a few thousand. */
const MAX_ANSWER_LENGTH = 16_384;

/** Decoding an object that claims a length would copy that many bytes. */
const encoded = Type.String({ pattern: '^[A-Za-z0-9_-]*$' });
/** What the service and the library read of an answer. The other members are ignored. */
const validate = compileBodyValidator(
  Type.Object({
    id: encoded,
    rawId: encoded,
    type: Type.String(),
    response: Type.Object({
      clientDataJSON: encoded,
      attestationObject: Type.Optional(encoded),
      authenticatorData: Type.Optional(encoded),
      signature: Type.Optional(encoded),
      userHandle: Type.Optional(encoded),
      transports: Type.Optional(Type.Array(Type.String())),
    }),
  }),
);

/** Parses an answer. Returns undefined for any other text. */
export function parseAnswer<Answer extends PasskeyAnswer>(text: string): Answer | undefined {
  if (text.length > MAX_ANSWER_LENGTH) return undefined;
  try {
    return validate(JSON.parse(text)) as unknown as Answer;
  } catch {
    return undefined;
  }
}

/** Returns the challenge that an answer claims to answer. */
export function challengeOf({ response }: PasskeyAnswer): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'));
    const { challenge } = Object(data) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}
