import type { Command } from 'commander';
import { currentCredential, readGivenCredential } from '../connection/connection.ts';
import { usageError } from '../output/command-error.ts';
import type { ProgramOptions, Session } from '../session.ts';

/** The option of every command that acts as a device. */
export const DIRECTORY = ['--directory <path>', 'directory with the keys and the log of the device'] as const;

/** Returns the tenant that a device names in what it signs: the configured one, or else the one of the credential. */
export async function deviceTenant(session: Session): Promise<string> {
  const { tenant_id: configured } = await session.tenant();
  if (configured !== undefined) return configured;
  const { ApiError } = await import('@tps/client');
  try {
    return (await (await session.client()).status.get()).tenant_id;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'insufficient_scope')) throw error;
    throw usageError('The credential may not read which tenant it belongs to. Set --tenant or TPS_TENANT.');
  }
}

/**
 * Returns the credential to act as a device with: the one of the options or the environment, otherwise the device's own, and
 * for a device without one that of the profile. Empty for the device's own.
 */
export async function deviceCredential(
  session: Session,
  command: Command,
  directory: string,
): Promise<{ readonly credential?: string }> {
  const given = await readGivenCredential(session.context, command.optsWithGlobals<ProgramOptions>());
  if (given !== undefined) return { credential: given };
  const { hasOwnCredential } = await import('@tps/agent');
  if (await hasOwnCredential(directory)) return {};
  return { credential: await currentCredential(await session.connection()) };
}
