import { parseArgs } from 'node:util';

const MAX_EVENTS = 20_000;
const MAX_SPEED = 1000;

export const HELP = `Starts the service on a new store, lets a simulated fleet of devices send it signed events, and shows what the service
derives from them, with webhooks and a triage. It ends by itself; exit code 0 means that all checks passed.

  --speed <n>    speed factor, 0.1 to ${MAX_SPEED} (default 1: about four events a second)
  --events <n>   number of events to send, 1 to ${MAX_EVENTS} (default: the sample once; more repeats it)
  --keep         start with two weeks of events instead, and print how to open the console; Ctrl-C ends it
  --help         print this text

Examples:
  npm run demo
  npm run demo -- --speed 5
  npm run demo -- --events 3000 --speed 100
  npm run demo -- --keep
`;

export interface Options {
  readonly speed: number;
  /** Undefined: the sample once. */
  readonly events: number | undefined;
  readonly keep: boolean;
  readonly help: boolean;
}

/** Parses the command line. @throws Error with one sentence for the user */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      speed: { type: 'string', default: '1' },
      events: { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { keep, help } = values;
  const speed = Number(values.speed);
  if (!(speed >= 0.1 && speed <= MAX_SPEED))
    throw new Error(`--speed must be a number from 0.1 to ${MAX_SPEED}.`);
  const events = values.events === undefined ? undefined : Number(values.events);
  if (events !== undefined && !(Number.isInteger(events) && events >= 1 && events <= MAX_EVENTS)) {
    throw new Error(`--events must be a whole number from 1 to ${MAX_EVENTS}.`);
  }
  return { speed, events, keep, help };
}
