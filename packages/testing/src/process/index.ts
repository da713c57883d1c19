export { type DebianServer, requireProgram, startDebianServer } from './debian-program.ts';
export { startNodeScript } from './node-script.ts';
export { type CommandRun, runCommand } from './run-command.ts';
export {
  FROM_SOURCE,
  findCredentialsFile,
  parseCredentials,
  SERVICE_MAIN,
  type SpawnedProcess,
  type SpawnedService,
  spawnProgram,
  spawnService,
  sqliteEnv,
} from './spawn-service.ts';
