import { SignatureError } from './signature-error.ts';

/** The parts of a request that a signature can cover. */
export interface SignedMessage {
  /** As sent. Case matters. */
  readonly method: string;
  /** The absolute path that the client requested, percent-encoded as sent, without the query. */
  readonly path: string;
  /** The part after the `?`; undefined when the target has no `?`. */
  readonly query?: string | undefined;
  /** Host, and port if it has one; undefined when it is not known for certain. */
  readonly authority?: string | undefined;
  /** `https` or `http`; undefined when it is not known for certain. */
  readonly scheme?: string | undefined;
  /** Returns a field by its lower-case name; the lines of a repeated field are joined by `, ` (RFC 9421 §2.1). */
  header(name: string): string | undefined;
}

const FIELD_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const FIELD_VALUE = /^[\t\x20-\x7e]*$/;
const METHOD = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const PATH = /^\/[!"$->@-~]*$/;
const QUERY = /^[!"$-~]*$/;
const AUTHORITY = /^[A-Za-z0-9._~!$&'()*+,;=:[\]%-]+$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*$/;
const DEFAULT_PORT = new Map([
  ['http', ':80'],
  ['https', ':443'],
]);

/**
 * Builds the text that is signed (RFC 9421 §2.5). Each component's value must be one line of ASCII, so that no value can
 * be mistaken for the line of another component.
 *
 * @param signatureParams the serialised inner list with its parameters, the value of `@signature-params`
 * @throws SignatureError for a component that is unknown, covered twice or absent from the message
 */
export function buildSignatureBase(
  message: SignedMessage,
  components: readonly string[],
  signatureParams: string,
): string {
  if (new Set(components).size !== components.length) {
    throw new SignatureError('A component is covered twice.');
  }
  let base = '';
  for (const component of components) {
    base += `"${component}": ${componentValue(message, component)}\n`;
  }
  return `${base}"@signature-params": ${signatureParams}`;
}

function componentValue(message: SignedMessage, component: string): string {
  return component.startsWith('@') ? derivedValue(message, component) : fieldValue(message, component);
}

/** RFC 9421 §2.2. `@query-param` needs a parameter and `@status` a response, and this profile has neither. */
function derivedValue(message: SignedMessage, component: string): string {
  switch (component) {
    case '@method':
      return requireValue(message.method, METHOD, component);
    case '@path':
      return pathOf(message);
    case '@query':
      return queryOf(message) || '?';
    case '@request-target':
      return `${pathOf(message)}${queryOf(message)}`;
    case '@authority':
      return authorityOf(message);
    case '@scheme':
      return schemeOf(message);
    case '@target-uri':
      return `${schemeOf(message)}://${authorityOf(message)}${pathOf(message)}${queryOf(message)}`;
    default:
      throw new SignatureError('A covered derived component is not supported.');
  }
}

function pathOf(message: SignedMessage): string {
  return requireValue(message.path || '/', PATH, '@path');
}

function queryOf(message: SignedMessage): string {
  return message.query === undefined ? '' : `?${requireValue(message.query, QUERY, '@query')}`;
}

function schemeOf(message: SignedMessage): string {
  return requireValue(message.scheme, SCHEME, '@scheme').toLowerCase();
}

/** RFC 9421 §2.2.3: lower case, without the default port of the scheme. */
function authorityOf(message: SignedMessage): string {
  const authority = requireValue(message.authority, AUTHORITY, '@authority').toLowerCase();
  const port = DEFAULT_PORT.get(message.scheme?.toLowerCase() ?? '');
  return port !== undefined && authority.endsWith(port) ? authority.slice(0, -port.length) : authority;
}

function requireValue(value: string | undefined, form: RegExp, component: string): string {
  if (value === undefined || !form.test(value)) {
    throw new SignatureError(`The request has no valid value for the covered component "${component}".`);
  }
  return value;
}

/** RFC 9421 §2.1. A folded line is refused: by RFC 9112 §5.2 a server unfolds it before the application sees it. */
function fieldValue(message: SignedMessage, name: string): string {
  if (!FIELD_NAME.test(name)) {
    throw new SignatureError('A covered component is not a header field name in lower case.');
  }
  const value = message.header(name);
  if (value === undefined) {
    throw new SignatureError(`The covered header "${name}" is missing.`);
  }
  if (!FIELD_VALUE.test(value)) {
    throw new SignatureError(`The covered header "${name}" contains a character that cannot be signed.`);
  }
  return value.trim();
}
