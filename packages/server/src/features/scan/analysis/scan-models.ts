import { readFileSync } from 'node:fs';
import { loadModels, type Models } from '@tps/detection';
import { loadShippedModels } from '@tps/detection/node';

/** What the service scores with, or why it cannot. */
export type ScanModels =
  | { readonly models: Models; readonly failure?: undefined }
  | { readonly models: undefined; readonly failure: Error };

/** Loads the models of a file, or those that come with the service. A file that cannot be used is no reason not to start. */
export function openModels(file: string | undefined): ScanModels {
  try {
    return { models: file === undefined ? loadShippedModels() : loadModels(readFileSync(file)) };
  } catch (error) {
    return { models: undefined, failure: error instanceof Error ? error : new Error(String(error)) };
  }
}
