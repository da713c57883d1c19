import { runCommandLine } from './command-line.ts';

const writeTo = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${text}\n`);

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  stdout: writeTo(process.stdout),
  stderr: writeTo(process.stderr),
});
