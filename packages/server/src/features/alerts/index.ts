export {
  type AlertRecord,
  canMerge,
  categoryWords,
  isAlerting,
  mergeInto,
  mergeKeyOf,
  openAlert,
  recomputeAlert,
} from './alert.ts';
export * as alertStore from './alert-store.ts';
