export * as savedViewStore from './saved-view-store.ts';
