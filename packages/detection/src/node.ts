import { readFileSync } from 'node:fs';
import { loadModels } from './model/model-file.ts';
import type { Models } from './model/models.ts';

/** Beside both `src` and `dist`. */
const SHIPPED = new URL('../models/redistributable.tpsm', import.meta.url);

/** Reads the models that this package ships. */
export function loadShippedModels(): Models {
  return loadModels(readFileSync(SHIPPED));
}
