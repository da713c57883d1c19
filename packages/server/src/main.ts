import { runCommandLine } from './app/run-command-line.ts';
import type { Config } from './platform/config/config.ts';

/** Loaded only by who serves: the commands then start in two thirds of the time. */
async function serve(config: Config): Promise<void> {
  const { runUntilStopped } = await import('./app/service/run-until-stopped.ts');
  return runUntilStopped(config);
}

const printTo = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(`${text}\n`);

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  serve,
  print: printTo(process.stdout),
  tell: printTo(process.stderr),
});
