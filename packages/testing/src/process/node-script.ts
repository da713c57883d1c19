import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface NodeScript {
  /** Resolves with the next line the script prints; rejects with what it said when it ends first. */
  nextLine(): Promise<string>;
  write(line: string): void;
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
  /** The exit code, `null` after a signal. */
  readonly ended: Promise<number | null>;
}

/** Runs TypeScript in a process of its own, for what only a second process can show. */
export function startNodeScript(code: string): NodeScript {
  const child = spawn(
    process.execPath,
    [
      '--conditions=source',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module-typescript',
      '--eval',
      code,
    ],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ended,
    async nextLine() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`The script ended: ${complaint}`);
      return value;
    },
    write: (line) => child.stdin.write(`${line}\n`),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
