import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { FROM_SOURCE } from './spawn-service.ts';

export interface NodeScript {
  /** Resolves with the next line that the script prints. Rejects with its error output if it ends first. */
  nextLine(): Promise<string>;
  write(line: string): void;
  /** Kills it, as a power cut would, and waits for its end. */
  kill(): Promise<void>;
  /** The exit code, `null` after a signal. */
  readonly ended: Promise<number | null>;
}

/** Runs TypeScript in another process. */
export function startNodeScript(code: string): NodeScript {
  const args = [...FROM_SOURCE, '--input-type=module-typescript', '--eval', code];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ended,
    async nextLine() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`The script ended: ${errors}`);
      return value;
    },
    write: (line) => child.stdin.write(`${line}\n`),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
