export { getPoliciesTag } from './policy-page.ts';
export * as policyStore from './policy-store.ts';
