/** The kind of store: a file that one process uses, or a server that several nodes share. */
export type Engine = 'sqlite' | 'postgres';
