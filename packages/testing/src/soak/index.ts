export { IS_SOAK, repetitions } from './repetitions.ts';
