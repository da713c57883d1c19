export { DataRequestWorker } from './data-request-worker.ts';
