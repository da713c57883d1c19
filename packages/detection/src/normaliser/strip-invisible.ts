/** A letter carries at most a few marks in any language; beyond that they only hide it, and sorting them takes long. */
const MOST_MARKS = 4;

/**
 * Removes what is not seen: zero-width and bidirectional signs, tags, soft hyphens, variation selectors, control
 * characters and halves of surrogate pairs. A run of combining marks is cut, since NFKC sorts it in quadratic time.
 */
export function stripInvisible(text: string): { readonly text: string; readonly removed: number } {
  let output = '';
  let settled = 0;
  let removed = 0;
  let marks = 0;
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0;
    const length = code > 0xffff ? 2 : 1;
    marks = isMark(code) ? marks + 1 : 0;
    if (marks > MOST_MARKS || isInvisible(code)) {
      output += text.slice(settled, index);
      settled = index + length;
      // Emoji are full of selectors and joiners, which disguise nothing.
      if (code !== 0xfe0f && code !== 0x200d && code > 0x1f) removed += 1;
    }
    index += length;
  }
  return settled === 0 ? { text, removed } : { text: output + text.slice(settled), removed };
}

function isMark(code: number): boolean {
  if (code < 0x300) return false;
  if (code < 0x370) return true;
  return code > 0x482 && (code < 0x3000 || code > 0xa66e) && /\p{M}/u.test(String.fromCodePoint(code));
}

function isInvisible(code: number): boolean {
  if (code < 0x20) return code !== 0x09 && code !== 0x0a && code !== 0x0d;
  if (code < 0x7f) return false;
  return (
    code < 0xa0 ||
    code === 0xad ||
    code === 0x34f ||
    code === 0x61c ||
    code === 0x115f ||
    code === 0x1160 ||
    code === 0x17b4 ||
    code === 0x17b5 ||
    (code >= 0x180b && code <= 0x180f) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    code === 0x3164 ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff ||
    code === 0xffa0 ||
    (code >= 0xfff0 && code <= 0xfffb) ||
    (code >= 0xe0000 && code <= 0xe0fff)
  );
}
