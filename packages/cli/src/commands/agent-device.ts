import type { Command } from 'commander';
import { readGivenCredential } from '../connection/connection.ts';
import type { ProgramOptions, Session } from '../session.ts';

/** The option of every command that acts as a device. */
export const DIRECTORY = ['--directory <path>', 'directory with the keys and the log of the device'] as const;

/** Returns the credential of the options or the environment, otherwise the one of the profile. */
export async function deviceCredential(session: Session, command: Command): Promise<string> {
  const given = await readGivenCredential(session.context, command.optsWithGlobals<ProgramOptions>());
  return given ?? (await session.connection()).credential;
}
