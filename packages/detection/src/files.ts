/** What reads files and media: `@tps/detection/files`. */
export type { ByteScanner } from './files/byte-scanner.ts';
export { FILE_LIMITS, type FileLimits } from './files/file-limits.ts';
export { type InspectBytesOptions, inspectBytes } from './files/inspect-bytes.ts';
export { NO_TRUST, type TrustList } from './media/trust-list.ts';
