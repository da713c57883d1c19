import {
  type Dictionary,
  type Item,
  isInnerList,
  type Parameters,
  parseDictionary,
  serializeInnerList,
} from 'structured-headers';
import { isSignatureAlgorithm, SIGNATURE_ALGORITHMS } from './algorithms.ts';
import type { ParsedSignature } from './parsed-signature.ts';
import { isNonce, REQUIRED_COMPONENTS, SIGNATURE_TAGS, type SignatureTag } from './profile.ts';
import { buildSignatureBase, type SignedMessage } from './signature-base.ts';
import { SignatureError } from './signature-error.ts';
import { readUsualSignature } from './usual-signature.ts';

const MAX_SIGNATURES = 4;
const MAX_COMPONENTS = 32;
const MAX_HEADER_LENGTH = 4096;
const MAX_LABEL_LENGTH = 64;
const MAX_KEY_ID_LENGTH = 128;

/**
 * Parses the signatures of a message (RFC 9421 §4) and rebuilds the signature base of each, in the order of
 * `Signature-Input`. Each signature must follow the profile: it covers the method, the path and the content digest, and
 * has `created`, `nonce`, `keyid`, `alg` and `tag`. Other parameters are allowed and are part of the base.
 * Takes 3 µs for the form that `signRequest` writes, and 14 µs for any other.
 *
 * The result is not verified: that takes `verifySignature`, `verifyContentDigest`, the clock and the nonces seen before.
 *
 * @throws SignatureError for any header that does not follow the profile, and no other error
 */
export function parseSignatures(message: SignedMessage): ParsedSignature[] {
  const usual = readUsualSignature(message);
  return usual ? [usual] : parseAnySignatures(message);
}

/** Parses any structured fields, which RFC 9421 allows in many spellings. */
export function parseAnySignatures(message: SignedMessage): ParsedSignature[] {
  const inputs = parseHeader(message, 'Signature-Input');
  const values = parseHeader(message, 'Signature');
  if (inputs.size > MAX_SIGNATURES) {
    throw new SignatureError(`A request may carry at most ${MAX_SIGNATURES} signatures.`);
  }
  if (inputs.size !== values.size) {
    throw new SignatureError('Signature and Signature-Input must have the same labels.');
  }
  return [...inputs.keys()].map((label) => parseSignature(message, label, inputs, values));
}

function parseHeader(message: SignedMessage, name: 'Signature' | 'Signature-Input'): Dictionary {
  const text = message.header(name.toLowerCase());
  if (text === undefined || text.trim() === '') {
    throw new SignatureError(`The header ${name} is missing.`);
  }
  if (text.length > MAX_HEADER_LENGTH) {
    throw new SignatureError(`The header ${name} is longer than ${MAX_HEADER_LENGTH} characters.`);
  }
  try {
    return parseDictionary(text);
  } catch {
    // The parser's message may quote the header, so it is not passed on.
    throw new SignatureError(`The header ${name} is not a structured dictionary.`);
  }
}

function parseSignature(
  message: SignedMessage,
  label: string,
  inputs: Dictionary,
  values: Dictionary,
): ParsedSignature {
  const input = inputs.get(label);
  if (label.length > MAX_LABEL_LENGTH || input === undefined || !isInnerList(input)) {
    throw new SignatureError(
      `A member of Signature-Input is not a list of components, or its label exceeds ${MAX_LABEL_LENGTH} characters.`,
    );
  }
  const components = parseComponents(input[0]);
  const parameters = parseParameters(input[1]);
  const value = values.get(label)?.[0];
  if (!(value instanceof ArrayBuffer) || value.byteLength === 0) {
    throw new SignatureError('Each label of Signature-Input must have a byte sequence in Signature.');
  }
  return {
    label,
    components,
    ...parameters,
    // RFC 9421 §2.3: every parameter in the order received, including unknown ones.
    base: buildSignatureBase(message, components, serializeInnerList(input)),
    value: new Uint8Array(value),
  };
}

function parseComponents(items: readonly Item[]): string[] {
  if (items.length > MAX_COMPONENTS) {
    throw new SignatureError(`A signature may cover at most ${MAX_COMPONENTS} components.`);
  }
  const components = items.map(([name, parameters]) => {
    if (typeof name !== 'string') {
      throw new SignatureError('A covered component is not a string.');
    }
    if (parameters.size > 0) {
      throw new SignatureError(
        'Component parameters such as ;sf, ;bs, ;key, ;req, ;tr or ;name are not supported.',
      );
    }
    return name;
  });
  for (const required of REQUIRED_COMPONENTS) {
    if (!components.includes(required)) {
      throw new SignatureError(`The signature does not cover "${required}".`);
    }
  }
  return components;
}

function parseParameters(parameters: Parameters) {
  const expires = parameters.has('expires') ? parseUnixSeconds(parameters, 'expires') : undefined;
  const nonce = parseString(parameters, 'nonce');
  if (!isNonce(nonce)) {
    throw new SignatureError('The signature parameter "nonce" must be 22 to 128 characters of base64url.');
  }
  const keyId = parseString(parameters, 'keyid');
  if (keyId === '' || keyId.length > MAX_KEY_ID_LENGTH) {
    throw new SignatureError(
      `The signature parameter "keyid" must have 1 to ${MAX_KEY_ID_LENGTH} characters.`,
    );
  }
  const algorithm = parseString(parameters, 'alg');
  if (!isSignatureAlgorithm(algorithm)) {
    throw new SignatureError(
      `The signature parameter "alg" must be one of ${SIGNATURE_ALGORITHMS.join(', ')}.`,
    );
  }
  const created = parseUnixSeconds(parameters, 'created');
  const tag = parseTag(parameters);
  return { created, ...(expires === undefined ? {} : { expires }), nonce, keyId, algorithm, tag };
}

function parseString(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (typeof value !== 'string') {
    throw new SignatureError(`The signature parameter "${name}" is missing or not a string.`);
  }
  return value;
}

function parseUnixSeconds(parameters: Parameters, name: string): number {
  const value = parameters.get(name);
  if (typeof value !== 'number' || !Number.isInteger(value) || value <= 0) {
    throw new SignatureError(
      `The signature parameter "${name}" is missing or not a time in whole Unix seconds.`,
    );
  }
  return value;
}

function parseTag(parameters: Parameters): SignatureTag {
  const value = parseString(parameters, 'tag');
  const tag = SIGNATURE_TAGS.find((known) => known === value);
  if (tag === undefined) {
    throw new SignatureError(`The signature parameter "tag" must be one of ${SIGNATURE_TAGS.join(', ')}.`);
  }
  return tag;
}
