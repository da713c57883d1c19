/** Readers of files and media: `@tps/detection/files`. */
export type { ByteScanner } from './files/analyze-bytes.ts';
export { type AnalyzeBytesOptions, analyzeBytes } from './files/analyze-bytes.ts';
export { FILE_LIMITS, type FileLimits } from './files/file-limits.ts';
export { NO_TRUST, type TrustList } from './files/media/trust-list.ts';
