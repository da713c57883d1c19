/** Files whose texts are data and not prose: sample texts, word lists, generated code. */
const DATA_PATHS = [
  'acceptance/src/scan/examples/',
  'packages/client/src/generated/',
  // The names of segments on disk cannot change.
  'packages/agent/src/store/segments/segment-name.',
  // Phrases of messages, in seven languages.
  'packages/detection/src/cues/claims.ts',
  'packages/detection/src/cues/negation.ts',
  'packages/detection/src/cues/requests.ts',
  'packages/detection/models/',
  'packages/detection/src/normalize/common-words.ts',
  'packages/server/guidance/',
  'scripts/src/prose-lint/lint-prose.test.ts',
  'tools/training/corpus/',
  'tools/word-lists/reviewed/',
  'tools/word-lists/sources/',
];

/** `path` is relative to the root of the repository. */
export function isData(path: string): boolean {
  return DATA_PATHS.some((data) => path.startsWith(data));
}
