import { buildCommandLine } from './app/command-line.ts';
import { describeFailure } from './app/describe-failure.ts';
import { runUntilStopped } from './app/run-until-stopped.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);

try {
  await buildCommandLine({ env: process.env, serve: runUntilStopped, print }).parseAsync();
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}
