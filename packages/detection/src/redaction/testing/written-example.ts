/** For each placeholder, texts in which `«…»` encloses what it replaces, in the languages of the project's texts. */
export type WrittenExamples = Readonly<Record<string, readonly string[]>>;

/** Returns an example as a person wrote it, and what is left of it. */
export function readExample(example: string, placeholder: string): { written: string; expected: string } {
  return {
    written: example.replaceAll(/[«»]/g, ''),
    expected: example.replaceAll(/«[^»]*»/g, placeholder),
  };
}
