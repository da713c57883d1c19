/** What every command is given: the environment it reads its configuration from, and where its answer goes. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints a line, or several, to the standard output. */
  readonly print: (text: string) => void;
}
