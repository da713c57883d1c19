import { buildCommandLine } from './app/command-line.ts';
import { runUntilStopped } from './app/run-until-stopped.ts';
import { ConfigError } from './platform/config.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);

try {
  await buildCommandLine({ env: process.env, serve: runUntilStopped, print }).parseAsync();
} catch (error) {
  const isExpected = error instanceof ConfigError || (error instanceof Error && 'code' in error);
  process.stderr.write(
    `${isExpected ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`,
  );
  process.exitCode = 1;
}
