import { fromBase64 } from '#bytes';
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from './algorithms.ts';
import type { ParsedSignature } from './parsed-signature.ts';
import { REQUIRED_COMPONENTS, SIGNATURE_TAGS, type SignatureTag } from './profile.ts';
import { buildSignatureBase, type SignedMessage } from './signature-base.ts';

/** `Signature-Input` as `signRequest` writes it: strings without escapes, and integers as RFC 8941 §4.1 spells them. */
const INPUT = new RegExp(
  `^([a-z*][a-z0-9_.*-]{0,63})=(\\(${REQUIRED_COMPONENTS.map((name) => `"${name}"`).join(' ')}\\)` +
    ';created=([1-9][0-9]{0,14});nonce="([A-Za-z0-9_-]{22,128})";keyid="([ !#-[\\]-~]{1,128})"' +
    `;alg="(${SIGNATURE_ALGORITHMS.join('|')})";tag="(${SIGNATURE_TAGS.join('|')})")$`,
);
type InputMatch = [
  whole: string,
  label: string,
  params: string,
  created: string,
  nonce: string,
  keyId: string,
  algorithm: SignatureAlgorithm,
  tag: SignatureTag,
];
const VALUE =
  /^([a-z*][a-z0-9_.*-]{0,63})=:((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?):$/;
/** The base64 of an RSA signature of 4096 bits has 684 characters. */
const MAX_VALUE_LENGTH = 1024;

/**
 * Reads the only signature of a message if both headers have the form that `signRequest` writes. Returns undefined for any
 * other form, valid or not, which the full parser then reads. For this form, the full parser returns the same.
 *
 * @throws SignatureError when the message has no valid value for a covered component
 */
export function readUsualSignature(message: SignedMessage): ParsedSignature | undefined {
  const header = message.header('signature') ?? '';
  const signature = header.length > MAX_VALUE_LENGTH ? null : VALUE.exec(header);
  const input = INPUT.exec(message.header('signature-input') ?? '');
  if (!input || !signature || input[1] !== signature[1]) return undefined;
  const [, label, params, created, nonce, keyId, algorithm, tag] = input as unknown as InputMatch;
  return {
    label,
    components: REQUIRED_COMPONENTS,
    created: Number(created),
    nonce,
    keyId,
    algorithm,
    tag,
    base: buildSignatureBase(message, REQUIRED_COMPONENTS, params),
    value: fromBase64(signature[2] ?? ''),
  };
}
