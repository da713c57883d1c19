export { type NodeScript, startNodeScript } from './node-script.ts';
export { type CommandRun, runCommand } from './run-command.ts';
