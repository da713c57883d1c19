// The service itself, for a program that runs it in its own process.
export type { FirstCredentialsOutlet, FirstStart } from './app/service/first-start.ts';
export { type Service, startService } from './app/service/start-service.ts';
export type { AppendThreadOptions } from './features/events/index.ts';
export type { Workflow } from './features/jobs/index.ts';
export { loadConfig } from './platform/config/config.ts';
export { createLogger } from './platform/logger.ts';
