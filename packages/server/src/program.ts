import { runCommandLine } from './command-line.ts';

/** Writes lines. A reader that has gone, as `head` does after ten lines, ends nothing. */
function writeTo(stream: NodeJS.WriteStream): (text: string) => Promise<boolean> {
  // Without a listener, the error would end the process: each write reports its own.
  stream.on('error', () => undefined);
  return (text) =>
    new Promise((resolve) => {
      stream.write(`${text}\n`, (error?: NodeJS.ErrnoException | null) => {
        if (error && error.code !== 'EPIPE') report(error);
        resolve(!error);
      });
    });
}

function report({ message }: Error): void {
  process.exitCode = 1;
  process.stderr.write(`The output is incomplete: ${message}\n`);
}

const exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  stdout: writeTo(process.stdout),
  stderr: writeTo(process.stderr),
});
process.exitCode ||= exitCode;
