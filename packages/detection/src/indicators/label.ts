const MAX_LABEL_LENGTH = 120;

/**
 * Converts a name from a source to a form that fits into a sentence: one line of at most 120 characters
 * without control characters and marks that change the writing direction. Undefined when nothing is left.
 */
export function toLabel(name: string | undefined): string | undefined {
  const line = (name ?? '').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Z}]+/gu, ' ').trim();
  // Half of a surrogate pair would make the service reject the whole request.
  const label = line
    .slice(0, MAX_LABEL_LENGTH)
    .replace(/\p{Cs}/gu, '')
    .trimEnd();
  return label === '' ? undefined : label;
}
