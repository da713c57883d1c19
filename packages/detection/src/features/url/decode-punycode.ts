const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE = 128;
/** RFC 1035, section 2.3.4. */
const MAX_LABEL_LENGTH = 63;

/** Reads a label such as `xn--mnchen-3ya` as people see it (RFC 3492). A label that is no sound Punycode stays as it is. */
export function decodeLabel(label: string): string {
  if (!label.startsWith('xn--') || label.length > MAX_LABEL_LENGTH) return label;
  const body = label.slice(4);
  const delimiter = body.lastIndexOf('-');
  const output = Array.from(body.slice(0, Math.max(0, delimiter)), (letter) => letter.charCodeAt(0));
  let code = FIRST_CODE;
  let bias = FIRST_BIAS;
  let position = 0;
  for (let at = delimiter + 1; at < body.length; ) {
    const number = readNumber(body, at, bias);
    if (!number) return label;
    const length = output.length + 1;
    bias = adapt(number.value, length, position === 0 && output.length === Math.max(0, delimiter));
    position += number.value;
    code += Math.floor(position / length);
    position %= length;
    if (code > 0x10ffff) return label;
    output.splice(position, 0, code);
    position += 1;
    at = number.end;
  }
  return String.fromCodePoint(...output);
}

function readNumber(body: string, start: number, bias: number): { value: number; end: number } | undefined {
  let value = 0;
  let weight = 1;
  for (let at = start, k = BASE; at < body.length; at += 1, k += BASE) {
    const digit = toDigit(body.charCodeAt(at));
    if (digit === undefined) return undefined;
    value += digit * weight;
    const limit = k <= bias ? T_MIN : Math.min(T_MAX, k - bias);
    if (digit < limit) return { value, end: at + 1 };
    weight *= BASE - limit;
    if (weight > 2 ** 31) return undefined;
  }
  return undefined;
}

function toDigit(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  return undefined;
}

function adapt(delta: number, length: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? DAMP : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN));
    k += BASE;
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
