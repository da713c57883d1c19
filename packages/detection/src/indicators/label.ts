const MAX_LABEL_LENGTH = 120;

/**
 * Brings a name that a source gives into the form that is shown within a sentence: one line of at most 120 characters without
 * controls and marks that change the direction of writing. Undefined when nothing is left.
 */
export function toLabel(name: string | undefined): string | undefined {
  const line = (name ?? '').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Z}]+/gu, ' ').trim();
  // Half of a pair would be refused with the whole request that it is in.
  const label = line
    .slice(0, MAX_LABEL_LENGTH)
    .replace(/\p{Cs}/gu, '')
    .trimEnd();
  return label === '' ? undefined : label;
}
