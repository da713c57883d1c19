import { isUtf8 } from 'node:buffer';
import { isExactNumber, readJson } from '@tps/contract/json';
import { ServiceError } from '../service-error.ts';
import { refuseCredentialInJson } from './exposed-credential.ts';
import { findDuplicateName, type JsonScan, scanJson } from './json-scan.ts';

/** No body of this API needs more than a few levels; the check below recurses once per level. */
const MAX_DEPTH = 32;
/** Costs less than a millisecond to parse, so that a small mistake is answered with its name. */
const MIN_STRUCTURE = 256;
const MIN_TEXT = 65_536;
const MAX_QUOTED_NAME = 64;
const WHOLE = 'The body';
const INEXACT = `is a number beyond ±${Number.MAX_SAFE_INTEGER}, which not all programs read alike: send it as a string`;
/** A lone surrogate is not valid text, and PostgreSQL cannot store U+0000. */
const UNSTORABLE = /\p{Surrogate}|\0/u;

/** The current path, from that of the JSON as a whole. Linked instead of joined: the text is needed only for an error. */
type Trail = { parent: Trail | undefined; name: string | number };

export interface JsonBodyOptions {
  /** The most commas, colons and opening brackets outside strings that valid JSON of this kind has. */
  readonly maxStructure: number;
  /** The most bytes of a string in it, with its quotes (default: any). */
  readonly maxText?: number;
  /** The path of this JSON in the body, for error messages: `events[3]`. Default: it is the body. */
  readonly at?: string;
}

/**
 * Parses a request body more strictly than `JSON.parse`: input that two parsers could read differently is rejected,
 * because bodies are signed, stored and forwarded. Linear in the size of the body, which the caller bounds. How much
 * there is to parse is counted first: 480,000 members in 5 MB took a second.
 *
 * Measured on an event of 587 bytes: 2.1 µs in total, against 1.1 µs for `JSON.parse` alone.
 *
 * @throws ServiceError `invalid_json` for invalid JSON, invalid UTF-8, too many levels or a duplicate member;
 *   `invalid_field` for well-formed JSON with a forbidden member, a lone surrogate or a number that not all programs read alike;
 *   `credential_in_query` for a credential; `payload_too_large` for more members and items than `maxStructure` allows
 */
export function parseJsonBody(
  body: Buffer,
  { maxStructure, maxText = Infinity, at = '' }: JsonBodyOptions,
): unknown {
  const name = at === '' ? WHOLE : at;
  if (body.length === 0) throw invalidJson(`${name} is empty; JSON is expected.`);
  if (!isUtf8(body)) throw invalidJson(`${name} is not valid UTF-8.`);
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    throw invalidJson(
      `${name} begins with a byte order mark, which JSON must not have (RFC 8259, section 8.1).`,
    );
  }
  const scan = scanWithin(body, { maxStructure, maxText, name });
  refuseCredentialInJson(body);
  const value = parse(body.toString('utf8'), name);
  // UTF-8 cannot encode a lone surrogate, and a JSON string cannot contain a raw U+0000: only an escape can.
  const mayHoldEscapes = body.includes('\\u');
  if (checkValue(value, { parent: undefined, name: at }, mayHoldEscapes) !== scan.nameSeparators) {
    const twice = quoteName(findDuplicateName(body) ?? '');
    throw invalidJson(`The member ${twice} occurs twice in one object.`);
  }
  return value;
}

function scanWithin(
  body: Buffer,
  { maxStructure, maxText, name }: { maxStructure: number; maxText: number; name: string },
): JsonScan {
  const limits = {
    depth: MAX_DEPTH,
    structure: Math.max(maxStructure, MIN_STRUCTURE),
    text: Math.max(maxText, MIN_TEXT),
  };
  const scan = scanJson(body, limits);
  if (scan.depth > limits.depth) throw invalidJson(`${name} nests deeper than ${limits.depth} levels.`);
  if (scan.hasLongText) throw tooLarge(`${name} has a string of more than ${limits.text} bytes`);
  if (scan.structure <= limits.structure) return scan;
  throw tooLarge(
    `${name} has too many members: more than ${limits.structure} commas, colons and opening brackets`,
  );
}

function tooLarge(what: string): ServiceError {
  return new ServiceError('payload_too_large', `${what}, the limit of this operation.`);
}

function parse(text: string, name: string): unknown {
  try {
    return readJson(text);
  } catch (cause) {
    // V8's message may quote the body, which may contain a secret: only the position is passed on.
    const reason = cause instanceof Error ? cause.message : '';
    const position = /at position (\d+)/.exec(reason)?.[1];
    if (/end of JSON|Unterminated/.test(reason))
      throw invalidJson(`${name} is not valid JSON: it ends too early.`);
    throw invalidJson(`${name} is not valid JSON${position ? `: see character ${position}` : ''}.`);
  }
}

/** Rejects forbidden content and returns the number of members on all levels. */
function checkValue(value: unknown, trail: Trail, mayHoldEscapes: boolean): number {
  if (typeof value === 'string') {
    if (mayHoldEscapes && UNSTORABLE.test(value)) throw refused(trail, 'contains a lone surrogate or U+0000');
    return 0;
  }
  if (typeof value === 'number') {
    if (!isExactNumber(value)) throw refused(trail, INEXACT);
    return 0;
  }
  if (typeof value !== 'object' || value === null) return 0;
  return Array.isArray(value)
    ? checkArray(value, trail, mayHoldEscapes)
    : checkObject(value as Record<string, unknown>, trail, mayHoldEscapes);
}

function checkArray(array: unknown[], trail: Trail, mayHoldEscapes: boolean): number {
  let members = 0;
  for (let index = 0; index < array.length; index += 1) {
    members += checkValue(array[index], { parent: trail, name: index }, mayHoldEscapes);
  }
  return members;
}

function checkObject(object: Record<string, unknown>, trail: Trail, mayHoldEscapes: boolean): number {
  const names = Object.keys(object);
  let members = names.length;
  for (const name of names) {
    const here: Trail = { parent: trail, name };
    if (mayHoldEscapes && UNSTORABLE.test(name)) {
      throw refused(trail, 'has a member whose name contains a lone surrogate or U+0000');
    }
    if (isForbidden(name, object[name])) throw refused(here, 'is not a permitted member name');
    members += checkValue(object[name], here, mayHoldEscapes);
  }
  return members;
}

/** The two members through which copying or merging a parsed body could reach a prototype. */
function isForbidden(name: string, value: unknown): boolean {
  if (name === '__proto__') return true;
  return (
    name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
  );
}

function refused(trail: Trail, reason: string): ServiceError {
  let path = '';
  let at = trail;
  for (; at.parent !== undefined; at = at.parent) {
    const step = typeof at.name === 'number' ? `[${at.name}]` : `.${at.name.slice(0, MAX_QUOTED_NAME)}`;
    path = `${step}${path}`;
  }
  const whole = `${at.name}${path}`.replace(/^\./, '');
  return new ServiceError('invalid_field', `${whole === '' ? WHOLE : whole} ${reason}.`);
}

function quoteName(name: string): string {
  return JSON.stringify(name.slice(0, MAX_QUOTED_NAME));
}

function invalidJson(message: string): ServiceError {
  return new ServiceError('invalid_json', message);
}
