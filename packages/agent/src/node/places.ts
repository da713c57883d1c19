import { join } from 'node:path';

/** Says where in a device's directory what is kept. Keys lie apart from what they open, so that who copies one has not copied both. */
export function placesIn(directory: string): { readonly store: string; readonly keys: string } {
  return { store: join(directory, 'store'), keys: join(directory, 'keys.json') };
}
