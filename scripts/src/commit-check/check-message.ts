const MAX_SUBJECT_LENGTH = 72;

/** Written by git, or rewritten before they land. */
const GENERATED = /^(?:Merge |Revert "|fixup! |squash! )/;
const PREFIX = /^[a-z]+(?:\([\w-]+\))?!?: /;
const NOT_A_VERB = new Set([
  'a',
  'an',
  'the',
  'each',
  'every',
  'all',
  'no',
  'new',
  'this',
  'it',
  'we',
  'what',
]);
/** Imperatives that end like another form. */
const IMPERATIVE = new Set('bring embed exceed feed focus need ping proceed seed shed speed'.split(' '));

/** Returns what is wrong with the message of a commit; empty when nothing is. */
export function checkMessage(message: string): string[] {
  const [subject = '', second = ''] = withoutComments(message).split('\n');
  if (GENERATED.test(subject)) return [];
  if (subject.trim() === '') return ['the subject is empty'];
  const problems: string[] = [];
  if (subject.length > MAX_SUBJECT_LENGTH) {
    problems.push(`the subject has ${subject.length} characters: shorten it to ${MAX_SUBJECT_LENGTH}`);
  }
  if (subject.endsWith('.')) problems.push('the subject ends with a full stop: remove it');
  const [verb = '', ...object] = subject.replace(PREFIX, '').trim().split(' ');
  if (object.length === 0) problems.push('the subject is one word: write what the commit changes');
  if (!isImperative(verb)) problems.push(`"${verb}" is not an imperative: begin with one, such as "Add"`);
  if (second !== '') problems.push('the second line is not empty: separate subject and body');
  return problems;
}

/** A message file that git hands to a hook also holds git's own remarks. */
function withoutComments(message: string): string {
  return message
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .trimStart();
}

/** Decides by form: a verb that looks like another form has to be in the list. */
function isImperative(word: string): boolean {
  const lower = word.toLowerCase();
  if (IMPERATIVE.has(lower)) return true;
  return /^[a-z-]+$/.test(lower) && !NOT_A_VERB.has(lower) && !/(?:ed|ing|[^s]s)$/.test(lower);
}
