import { createInterface } from 'node:readline/promises';

/** Asks a person. Undefined when nobody sits at a terminal, or says nothing. */
export async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  // Beside what is printed, which may go to a file.
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<undefined>((resolve) => terminal.once('close', () => resolve(undefined)));
  try {
    const answer = await Promise.race([terminal.question(question), closed]);
    if (answer === undefined) process.stderr.write('\n');
    return answer;
  } finally {
    terminal.close();
  }
}
