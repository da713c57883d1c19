export { getPoliciesTag } from './policy-page.ts';
