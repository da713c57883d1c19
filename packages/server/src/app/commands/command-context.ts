/** What a command reads its configuration from and writes its output to. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Writes the command's output: one or more lines to the standard output. Resolves with whether it could be written;
   * most commands do not care, because their reader has gone.
   */
  readonly stdout: (text: string) => Promise<boolean>;
  /** Writes a line for people to the standard error, apart from the output that a program may read. */
  readonly stderr: (line: string) => unknown;
  /** Sets the exit code of a command that has done its work and has a negative result. */
  readonly failWith: (exitCode: number) => void;
}
