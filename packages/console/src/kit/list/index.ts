export { useListAddress } from './address/use-list-address.ts';
export type { ListData } from './data/use-list-data.ts';
export type {
  BulkAction,
  BulkChange,
  BulkChunk,
  BulkFormProps,
  BulkResult,
  BulkTarget,
  Choice,
  ColumnDefinition,
  FilterDefinition,
  ListCounts,
  ListDefinition,
  ListQuery,
  PageRequest,
} from './list-definition.ts';
export { ListPage } from './list-page.tsx';
export { bulkAction, choicesOf } from './list-parts.ts';
