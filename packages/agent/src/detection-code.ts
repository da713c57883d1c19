/**
 * What an agent runs of detection. It is loaded when an agent opens: with its word lists it is most of the code, so that a
 * page of a browser can begin without it.
 */
export { createDetector, redactEvent } from '@tps/detection';
export { toDetection } from './recording/to-detection.ts';
