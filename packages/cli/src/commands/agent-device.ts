import type { Command } from 'commander';
import { readGivenCredential } from '../connection/connection.ts';
import type { ProgramOptions, Session } from '../session.ts';

/** The option of every command about a device on this machine. */
export const DIRECTORY = ['--directory <folder>', 'where the device keeps its keys and its log'] as const;

/** What the device speaks to its service as: what was given, else what other commands use. */
export async function deviceCredential(session: Session, command: Command): Promise<string> {
  const given = await readGivenCredential(session.context, command.optsWithGlobals<ProgramOptions>());
  return given ?? (await session.connection()).credential;
}
