/** The service's command line, which `tps` runs in its own process. Importing it does not load the service. */
export { buildCommandLine } from './app/command-line.ts';
export { runCommandLine } from './app/run-command-line.ts';
export { configTable, VARIABLE_NAMES } from './platform/config/config-options.ts';
