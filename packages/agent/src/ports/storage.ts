/**
 * Where the agent keeps its files: one flat directory that belongs to one agent. Names match `[a-z0-9.-]{1,64}`.
 *
 * Any method may reject with a StorageError. After a rejection the content of the file concerned is unknown; the agent
 * reads it again or leaves it behind, it never goes on writing to it.
 */
export interface AgentStorage {
  /** Names and sizes of all files, in any order. Temporary files of `replace` are not among them. */
  list(): Promise<StoredFile[]>;
  /** Reads a whole file. @throws StorageError `missing` when there is none, `too_large` beyond `limitBytes` */
  read(name: string, limitBytes: number): Promise<Uint8Array>;
  /** Makes a new, empty file, durably, that can only grow. @throws StorageError `exists` */
  create(name: string): Promise<AppendFile>;
  /** Puts content in place of what was there, wholly or not at all, and durably. Makes the file if there is none. */
  replace(name: string, content: Uint8Array): Promise<void>;
  /** Overwrites what can be overwritten, then removes the file, durably. Does nothing when there is none. */
  remove(name: string): Promise<void>;
  /** Gives the directory back to others. */
  close(): Promise<void>;
}

export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
}

/** A file that is being written. One call at a time. */
export interface AppendFile {
  /** Adds bytes at the end. They may still be in the operating system's memory only. */
  append(bytes: Uint8Array): Promise<void>;
  /** Resolves when everything appended so far would survive a loss of power. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** `read_only`, `full` and `failed` are what a device can recover from; the others tell of a fault in the caller. */
export type StorageErrorCode =
  | 'missing'
  | 'exists'
  | 'too_large'
  | 'in_use'
  | 'full'
  | 'read_only'
  | 'failed';

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
