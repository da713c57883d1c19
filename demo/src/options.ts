import { parseArgs } from 'node:util';

const MAX_EVENTS = 20_000;
const MAX_SPEED = 1000;

export const HELP = `Starts the service on a store of its own, lets a simulated fleet of devices send it signed events, and shows what
comes of them, webhooks and a triage included. Ends by itself; exit code 0 means that everything matched.

  --speed <n>    times as fast as usual, 0.1 to ${MAX_SPEED} (default 1: about four events a second)
  --events <n>   how many events to send, 1 to ${MAX_EVENTS} (default: the whole sample; more repeats it)
  --keep         keep the service running afterwards, and show how to look around with curl
  --help         this text

Examples:
  npm run demo
  npm run demo -- --speed 5
  npm run demo -- --events 3000 --speed 100
  npm run demo -- --keep
`;

export interface Options {
  readonly speed: number;
  /** Undefined: as many as the sample has. */
  readonly events: number | undefined;
  readonly keep: boolean;
  readonly help: boolean;
}

/** Reads the command line. @throws Error that says in one sentence what is wrong */
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
  if (!(speed >= 0.1 && speed <= MAX_SPEED)) throw new Error(`--speed must be 0.1 to ${MAX_SPEED}.`);
  const events = values.events === undefined ? undefined : Number(values.events);
  if (events !== undefined && !(Number.isInteger(events) && events >= 1 && events <= MAX_EVENTS)) {
    throw new Error(`--events must be a whole number from 1 to ${MAX_EVENTS}.`);
  }
  return { speed, events, keep, help };
}
