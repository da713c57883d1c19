import { join } from 'node:path';

export interface Places {
  readonly store: string;
  readonly keys: string;
  readonly indicators: string;
}

/** Says where in a device's directory what is kept. Keys lie apart from what they open, so that who copies one has not copied both. */
export function placesIn(directory: string): Places {
  return {
    store: join(directory, 'store'),
    keys: join(directory, 'keys.json'),
    indicators: join(directory, 'indicators'),
  };
}
