import { join } from 'node:path';

export interface DevicePaths {
  readonly store: string;
  readonly keys: string;
  readonly indicators: string;
}

/** Returns the paths within a device's directory. The keys lie apart from the data, so that a copy of one is not a copy of both. */
export function devicePaths(directory: string): DevicePaths {
  return {
    store: join(directory, 'store'),
    keys: join(directory, 'keys.json'),
    indicators: join(directory, 'indicators'),
  };
}
