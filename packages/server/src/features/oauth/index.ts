export { endAccessOfClient, endAccessOfMember } from './end-access.ts';
