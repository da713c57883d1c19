/** One comparison of a pattern: `file:hashes.'SHA-256' = '…'` has the path `file:hashes.sha256`. */
export interface Comparison {
  /** In lower case, without quotes and hyphens in its members. */
  readonly path: string;
  readonly value: string;
}

/** A pattern that cannot be expressed as indicators. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const MAX_PATTERN_LENGTH = 64 * 1024;
const MAX_COMPARISONS = 1000;
const MAX_DEPTH = 8;
const SPACE = /\s+/y;
const TOKEN =
  /\[|\]|\(|\)|,|!?=|[<>]=?|'(?:[^'\\]|\\.)*'|[A-Za-z][\w-]*:(?:[\w.-]|'[\w-]{1,64}'|"[\w-]{1,64}")+|\w[\w.:+-]*/y;

/**
 * Parses a pattern of STIX 2.1 (section 9) that means "one of these": comparisons with `=` or `IN`, joined by
 * OR, in one observation or in several joined by OR. A pattern that requires several things at once, or
 * anything but equality, is not a list of indicators.
 *
 * @throws PatternError for any other pattern; a pattern is never parsed in part
 */
export function parsePattern(pattern: string): readonly Comparison[] {
  if (pattern.length > MAX_PATTERN_LENGTH) throw new PatternError('the pattern is too long');
  const tokens = tokensOf(pattern);
  const found: Comparison[] = [];
  let at = 0;
  const take = () => tokens[at++];
  const expect = (token: string) => {
    if (take() !== token) throw new PatternError('only comparisons joined by OR are supported');
  };
  const joined = (one: (depth: number) => void, depth: number) => {
    one(depth);
    while (tokens[at] === 'OR') {
      at += 1;
      one(depth);
    }
  };
  const wrapped = (open: string, close: string, inner: (depth: number) => void, depth: number) => {
    if (depth > MAX_DEPTH) throw new PatternError('the pattern is nested too deeply');
    expect(open);
    joined(inner, depth + 1);
    expect(close);
  };
  const comparison = (depth: number): void => {
    if (tokens[at] === '(') {
      wrapped('(', ')', comparison, depth);
      return;
    }
    const path = pathOf(take());
    const operator = take();
    if (operator === 'IN') {
      expect('(');
      do found.push({ path, value: literalOf(take()) });
      while (tokens[at] === ',' && take());
      expect(')');
    } else if (operator === '=') found.push({ path, value: literalOf(take()) });
    else throw new PatternError('only = and IN are supported');
    if (found.length > MAX_COMPARISONS) throw new PatternError('the pattern has too many comparisons');
  };
  const observation = (depth: number): void => {
    if (tokens[at] === '(') wrapped('(', ')', observation, depth);
    else wrapped('[', ']', comparison, depth);
  };
  joined(observation, 0);
  if (at !== tokens.length) throw new PatternError('only comparisons joined by OR are supported');
  return found;
}

function tokensOf(pattern: string): readonly string[] {
  const tokens: string[] = [];
  for (let at = 0; at < pattern.length; ) {
    SPACE.lastIndex = at;
    if (SPACE.test(pattern)) {
      at = SPACE.lastIndex;
      continue;
    }
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(pattern)?.[0];
    if (token === undefined) throw new PatternError('this is not a STIX 2.1 pattern');
    tokens.push(token);
    at += token.length;
  }
  return tokens;
}

function pathOf(token = ''): string {
  if (!/^[A-Za-z][\w-]*:/.test(token)) throw new PatternError('only comparisons joined by OR are supported');
  const [object = '', members = ''] = token.toLowerCase().split(/:(.*)/s);
  return `${object}:${members.replace(/['"-]/g, '')}`;
}

function literalOf(token = ''): string {
  if (!token.startsWith("'")) throw new PatternError('only comparisons with a text are supported');
  return token.slice(1, -1).replace(/\\(.)/gs, '$1');
}
