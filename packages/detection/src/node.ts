import { readFileSync } from 'node:fs';
import { loadModels } from './model/model-file.ts';
import type { Models } from './model/models.ts';

/** Lies beside both `src` and `dist`. */
const SHIPPED = new URL('../models/redistributable.tpsm', import.meta.url);

/** Reads the models that come with this package. */
export function loadShippedModels(): Models {
  return loadModels(readFileSync(SHIPPED));
}
