/** What every command is given: the environment it reads its configuration from, and where its answers go. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints a line, or several, to the standard output. */
  readonly print: (text: string) => void;
  /** Tells a person a line beside the answer, which another program may read: to the standard error. */
  readonly tell: (line: string) => void;
  /** Lets the program end with 1 although the command did all it should: its answer is a no. */
  readonly answerNo: () => void;
}
