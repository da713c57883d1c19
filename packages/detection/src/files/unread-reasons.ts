/** Clauses on why a file, or one inside it, was not read to its end. */
export const UNREAD_REASONS = {
  too_large: 'it unpacks to more than is read here',
  ratio: 'it unpacks to a great many times its size, as archives made to exhaust scanners do',
  time: 'reading it took too long',
  many: 'it holds more files than are opened here',
  damaged: 'a part of it is damaged',
  method: 'a part of it is packed in a way that is not read here',
  locked: 'files in it are locked with a password',
  disagrees: 'files lie in it that its directory does not list, or lists under other names',
} as const;
