import { isSpace } from '../normalize/characters.ts';
import { USER_PLACEHOLDER } from './placeholder.ts';
import type { Span } from './span.ts';

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const DOT = 0x2e;
/** The folders whose folders are named after people. */
const PARENTS = ['users', 'home', 'documents and settings', 'benutzer', 'utilisateurs', 'usuarios', 'utenti'];
const MAX_PARENT_LENGTH = 22;
/** Folders in them that every machine has. */
const SHARED = new Set(['public', 'shared', 'default', 'default user', 'all users', 'guest', 'defaultuser0']);
const MAX_NAME_LENGTH = 64;
const NEVER_IN_NAME = '"<>|:*?\n\r\t';
const ENDS_NAME = '"\'<>|:*?,;()[]{}`';

/** Finds the name of the user in paths: `C:\Users\jane\…`, `/home/jane/…`, `/Users/jane`. */
export function findHomeFolders(text: string, from: number, to: number, spans: Span[]): void {
  let folder = from;
  for (let index = from; index < to; index += 1) {
    if (!isSeparator(text.charCodeAt(index))) continue;
    const next = endOfSeparators(text, index, to);
    if (isParent(text, folder, index, from)) {
      const end = nameEnd(text, next, to, text.charCodeAt(index) === BACKSLASH);
      if (end > next && !isShared(text.slice(next, end))) {
        spans.push({ start: next, end, write: () => USER_PLACEHOLDER });
        index = end - 1;
        folder = end;
        continue;
      }
    }
    folder = next;
    index = next - 1;
  }
}

function isSeparator(code: number): boolean {
  return code === SLASH || code === BACKSLASH;
}

/** In JSON and in source code each backslash is two. */
function endOfSeparators(text: string, start: number, to: number): number {
  let end = start;
  while (end < to && isSeparator(text.charCodeAt(end))) end += 1;
  return end;
}

/** The parent folder is part of a path: a separator precedes it. */
function isParent(text: string, start: number, end: number, from: number): boolean {
  if (end - start > MAX_PARENT_LENGTH || start === from || !isSeparator(text.charCodeAt(start - 1)))
    return false;
  return PARENTS.includes(text.slice(start, end).toLowerCase());
}

/** A name on Windows may contain spaces; it then ends at the next separator. */
function nameEnd(text: string, start: number, to: number, isWindows: boolean): number {
  const limit = Math.min(to, start + MAX_NAME_LENGTH);
  let end = start;
  while (end < limit && !isSeparator(text.charCodeAt(end)) && !endsName(text, end)) end += 1;
  if (isWindows && end < limit && text.charAt(end) === ' ') {
    let separator = end;
    while (separator < limit && !isSeparator(text.charCodeAt(separator))) {
      if (NEVER_IN_NAME.includes(text.charAt(separator))) return withoutStops(text, start, end);
      separator += 1;
    }
    const words = text.slice(start, separator).split(' ');
    if (separator < limit && words.length <= 3 && !words.includes('')) return separator;
  }
  return withoutStops(text, start, end);
}

function endsName(text: string, index: number): boolean {
  return isSpace(text.charCodeAt(index)) || ENDS_NAME.includes(text.charAt(index));
}

/** Full stops at the end are of the sentence. */
function withoutStops(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && text.charCodeAt(last - 1) === DOT) last -= 1;
  return last;
}

function isShared(name: string): boolean {
  return SHARED.has(name.toLowerCase());
}
