export { PageLayout } from './page-layout.tsx';
export { EmptyState } from './states/empty-state.tsx';
export { QueryState } from './states/query-state.tsx';
