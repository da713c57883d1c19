/** Which kind of store: one file in this process, or a server that several nodes share. */
export type Engine = 'sqlite' | 'postgres';
