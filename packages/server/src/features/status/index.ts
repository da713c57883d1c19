export { StatusReader } from './status-reader.ts';
