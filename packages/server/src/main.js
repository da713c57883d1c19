import { keepCompiledCode } from './compile-cache.js';

keepCompiledCode();
// Not a static import: its module would be compiled before the line above runs.
await import('./program.ts');
