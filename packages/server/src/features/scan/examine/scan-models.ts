import { readFileSync } from 'node:fs';
import { type ConcludeOptions, type Inspection, loadModels, type Models, modelFor } from '@tps/detection';
import { loadShippedModels } from '@tps/detection/node';

/** What the service scores with, or why it cannot. */
export type ScanModels =
  | { readonly models: Models; readonly failure?: undefined }
  | { readonly models: undefined; readonly failure: Error };

/** Weighs what only indicators can speak about. */
const NO_MODEL: ConcludeOptions['model'] = { version: 'none', thresholds: { warn: 1, block: 1 } };

/** Loads the models of a file, or those that come with the service. A file that cannot be used is no reason not to start. */
export function openModels(file: string | undefined): ScanModels {
  try {
    return { models: file === undefined ? loadShippedModels() : loadModels(readFileSync(file)) };
  } catch (error) {
    return { models: undefined, failure: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Gives the thresholds against which content of that type is weighed. */
export function thresholdsFor(type: Inspection['type'], { models }: ScanModels): ConcludeOptions['model'] {
  return models ? modelFor(type, models) : NO_MODEL;
}
