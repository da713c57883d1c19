export * as indicatorStore from './indicator-store.ts';
