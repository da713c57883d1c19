export { useListAddress } from './address/use-list-address.ts';
export { column } from './column.tsx';
export type { ListData } from './data/use-list-data.ts';
export { DownloadButton } from './export/download-button.tsx';
export type {
  BulkAction,
  BulkChange,
  BulkChunk,
  BulkResult,
  BulkTarget,
  ListDefinition,
  ListQuery,
} from './list-definition.ts';
export { ListPage } from './list-page.tsx';
export { bulkAction, choicesOf } from './list-parts.ts';
