import { keepDemo } from './keep-demo.ts';
import { HELP, type Options, readOptions } from './options.ts';
import { runDemo } from './run-demo.ts';
import { startService } from './start-service.ts';

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(args);
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${HELP}`);
    return 2;
  }
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  return run(options);
}

async function run(options: Options): Promise<number> {
  const stopping = new AbortController();
  const onSignal = () => stopping.abort(new Error('Interrupted.'));
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  if (options.keep) return keep(stopping.signal);
  const service = await startService().catch((error: unknown) => {
    console.error(messageOf(error));
    return undefined;
  });
  if (!service) return 1;
  try {
    return (await runDemo(service, { options, signal: stopping.signal })) ? 0 : 1;
  } catch (error) {
    console.error(stopping.signal.aborted ? 'Interrupted.' : messageOf(error));
    return stopping.signal.aborted ? 130 : 1;
  } finally {
    await service.stop();
  }
}

async function keep(signal: AbortSignal): Promise<number> {
  try {
    await keepDemo(signal);
    return 0;
  } catch (error) {
    console.error(messageOf(error));
    return 1;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
