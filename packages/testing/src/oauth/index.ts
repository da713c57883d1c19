export { type OAuthAnswer, TestApplication } from './test-application.ts';
