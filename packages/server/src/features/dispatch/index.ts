export { Dispatcher, type ObservedAttempt } from './dispatcher.ts';
