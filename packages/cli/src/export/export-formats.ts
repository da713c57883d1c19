export const EXPORT_FORMATS = ['ndjson', 'ocsf', 'cef', 'stix'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
