export { type ReceivedMail, type TestMailServer, useMailServer } from './test-mail-server.ts';
