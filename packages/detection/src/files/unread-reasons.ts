/** Clauses on why a file, or one inside it, was not read to its end. */
export const UNREAD_REASONS = {
  too_large: 'it unpacks to more than the limit',
  ratio: 'it unpacks to many times its size, like archives made to exhaust scanners',
  time: 'reading it took too long',
  many: 'it contains more files than are opened',
  damaged: 'a part of it is damaged',
  method: 'a part of it is compressed with an unsupported method',
  locked: 'files in it are protected with a password',
  disagrees: 'it contains files that its directory does not list, or lists under other names',
} as const;
