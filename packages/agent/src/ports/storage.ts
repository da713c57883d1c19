/**
 * The agent's files: one flat directory that belongs to one agent. Names match `[a-z0-9.-]{1,64}`.
 *
 * Any method may reject with a StorageError. After a rejection the content of the file is unknown: the agent reads it
 * again or abandons it, and never writes to it again.
 */
export interface AgentStorage {
  /** Lists names and sizes of all files, in any order, without the temporary files of `replace`. */
  list(): Promise<StoredFile[]>;
  /** Reads a whole file. @throws StorageError `missing`, or `too_large` beyond `limitBytes` */
  read(name: string, limitBytes: number): Promise<Uint8Array>;
  /** Creates an empty file, durably, that can only be appended to. @throws StorageError `exists` */
  create(name: string): Promise<AppendFile>;
  /** Replaces a file's content atomically and durably. Creates the file if it does not exist. */
  replace(name: string, content: Uint8Array): Promise<void>;
  /** Overwrites the file where possible, then removes it durably. Does nothing when it does not exist. */
  remove(name: string): Promise<void>;
  /** Releases the directory for other processes. */
  close(): Promise<void>;
}

/** A file in the agent's storage. */
export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
}

/** A file opened for appending. One call at a time. */
export interface AppendFile {
  /** Appends bytes. Until `sync`, they may be in the operating system's memory only. */
  append(bytes: Uint8Array): Promise<void>;
  /** Resolves when everything appended so far survives a loss of power. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A device can recover from `read_only`, `full` and `failed`. The other codes mean that the caller made an error. */
export type StorageErrorCode =
  | 'missing'
  | 'exists'
  | 'too_large'
  | 'in_use'
  | 'full'
  | 'read_only'
  | 'failed';

/** A failure of the storage. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
