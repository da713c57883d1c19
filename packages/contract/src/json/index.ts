export { isExactNumber } from './exact-number.ts';
export { readJson } from './read-json.ts';
