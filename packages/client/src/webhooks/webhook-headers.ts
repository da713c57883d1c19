import { WebhookVerificationError } from './webhook-verification-error.ts';

/** The request's headers: a `Headers` object, those of a `node:http` request, or a record with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** The parsed headers of a delivery. Not yet verified. */
export interface DeliveryHeaders {
  /** From `X-Service-Signature` and, during a rotation, `X-Service-Signature-Previous`. */
  readonly bodySignatures: readonly Uint8Array[];
  /** `X-Service-Timestamp`, Unix seconds. */
  readonly timestampS: number;
  readonly idempotencyKey: string;
  /** The Standard Webhooks headers; undefined when they are missing. */
  readonly standard: StandardHeaders | undefined;
}

interface StandardHeaders {
  readonly id: string;
  readonly timestampS: number;
  readonly signatures: readonly Uint8Array[];
}

const HEX_SHA256 = /^[0-9a-f]{64}$/;
/** Canonical: without sign, leading zero or fraction, so that each time has one spelling. */
const UNIX_SECONDS = /^(?:0|[1-9][0-9]{0,11})$/;
const VISIBLE_ASCII = /^[\x21-\x7e]{1,256}$/;
/** 32 bytes in padded Base64. */
const BASE64_SHA256 = /^[A-Za-z0-9+/]{43}=$/;
/** The service sends one signature, or two during a rotation. */
const MAX_STANDARD_SIGNATURES = 16;

/** @throws WebhookVerificationError `missing_header`, `malformed_header` or `headers_disagree` */
export function parseDeliveryHeaders(headers: WebhookHeaders): DeliveryHeaders {
  const find = toFinder(headers);
  const previous = find('x-service-signature-previous');
  const standard = parseStandardHeaders(find);
  const timestampS = parseSeconds(find, 'x-service-timestamp');
  if (standard && standard.timestampS !== timestampS) {
    throw new WebhookVerificationError(
      'headers_disagree',
      'The headers X-Service-Timestamp and webhook-timestamp differ.',
    );
  }
  return {
    bodySignatures: [
      parseHex('x-service-signature', requireHeader(find, 'x-service-signature')),
      ...(previous === undefined ? [] : [parseHex('x-service-signature-previous', previous)]),
    ],
    timestampS,
    idempotencyKey: requireForm(find, 'x-service-idempotency-key', VISIBLE_ASCII),
    standard,
  };
}

type FindHeader = (name: string) => string | undefined;

/** If one of the three headers is present, the others must be too: otherwise the delivery was changed. */
function parseStandardHeaders(find: FindHeader): StandardHeaders | undefined {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  if (names.every((name) => find(name) === undefined)) return undefined;
  return {
    id: requireForm(find, 'webhook-id', VISIBLE_ASCII),
    timestampS: parseSeconds(find, 'webhook-timestamp'),
    signatures: parseStandardSignatures(requireHeader(find, 'webhook-signature')),
  };
}

/** Ignores signatures of other versions than `v1`, as the Standard Webhooks specification requires. */
function parseStandardSignatures(value: string): Uint8Array[] {
  const entries = value.split(' ', MAX_STANDARD_SIGNATURES + 1);
  const ours = entries.filter((entry) => entry.startsWith('v1,')).map((entry) => entry.slice('v1,'.length));
  const isWellFormed = ours.length > 0 && ours.every((signature) => BASE64_SHA256.test(signature));
  if (!isWellFormed || entries.length > MAX_STANDARD_SIGNATURES) throw malformed('webhook-signature');
  return ours.map((signature) => Uint8Array.from(atob(signature), (character) => character.charCodeAt(0)));
}

function parseSeconds(find: FindHeader, name: string): number {
  return Number(requireForm(find, name, UNIX_SECONDS));
}

function parseHex(name: string, value: string): Uint8Array {
  if (!HEX_SHA256.test(value)) throw malformed(name);
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(value.slice(index * 2, index * 2 + 2), 16),
  );
}

function requireForm(find: FindHeader, name: string, form: RegExp): string {
  const value = requireHeader(find, name);
  if (!form.test(value)) throw malformed(name);
  return value;
}

function requireHeader(find: FindHeader, name: string): string {
  const value = find(name);
  if (value === undefined)
    throw new WebhookVerificationError('missing_header', `The header ${name} is missing.`);
  return value;
}

function malformed(name: string): WebhookVerificationError {
  return new WebhookVerificationError('malformed_header', `The header ${name} is repeated or malformed.`);
}

/** A repeated header appears joined by a comma or as an array, and neither is accepted as a value. */
function toFinder(headers: WebhookHeaders): FindHeader {
  const { get } = headers;
  if (typeof get === 'function') return (name) => get.call(headers, name) ?? undefined;
  const all = new Map<string, unknown[]>();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || value === null) continue;
    const known = all.get(name.toLowerCase()) ?? [];
    all.set(name.toLowerCase(), [...known, ...(Array.isArray(value) ? value : [value])]);
  }
  return (name) => {
    const values = all.get(name);
    if (values === undefined || values.length === 0) return undefined;
    const [value] = values;
    if (values.length > 1 || typeof value !== 'string') throw malformed(name);
    return value;
  };
}
