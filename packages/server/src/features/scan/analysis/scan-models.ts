import { readFileSync } from 'node:fs';
import { loadModels, type Models } from '@tps/detection';
import { loadShippedModels } from '@tps/detection/node';

/** The models of the service, or why they could not be loaded. */
export type ScanModels =
  | { readonly models: Models; readonly failure?: undefined }
  | { readonly models: undefined; readonly failure: Error };

/** Loads the models from a file, or the built-in ones. The service starts even if the file is unusable. */
export function openModels(file: string | undefined): ScanModels {
  try {
    return { models: file === undefined ? loadShippedModels() : loadModels(readFileSync(file)) };
  } catch (error) {
    return { models: undefined, failure: error instanceof Error ? error : new Error(String(error)) };
  }
}
