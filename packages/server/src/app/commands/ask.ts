import { createInterface } from 'node:readline/promises';

/** Asks the user. Returns undefined without a terminal or an answer. */
export async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  // Written to stderr, because stdout may go to a file.
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
