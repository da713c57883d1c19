/** The id of the client that `tps login` uses. It belongs to no tenant: the person chooses one of theirs. */
export const COMMAND_LINE_CLIENT = 'tps-cli';
