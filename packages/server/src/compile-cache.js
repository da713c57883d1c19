import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Beside the packages: anyone who may write here may change the code itself. Node's default is a folder that all users share. */
const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/tps', import.meta.url));

/**
 * Lets Node keep compiled code on disk, for modules that are loaded from now on, also by threads: the next start takes
 * half of the processor time. Without permission to write there, the start is slow and otherwise the same.
 *
 * Not TypeScript: Node would load the compiler that removes types (80 ms) before it could find that it has the result.
 */
export function keepCompiledCode() {
  // Threads read the variable; they do not inherit what is enabled here.
  process.env.NODE_COMPILE_CACHE ||= FOLDER;
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}
