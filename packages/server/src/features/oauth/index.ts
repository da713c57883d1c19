export { endAccessOfClient } from './end-access.ts';
