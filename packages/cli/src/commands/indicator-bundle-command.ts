import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printFields } from '../output/print.ts';
import { openCall } from './api-command.ts';
import { examples } from './examples.ts';

/** Adds `tps indicators bundle`. */
export function addIndicatorBundle(indicators: Command, context: CommandContext): void {
  indicators
    .command('bundle')
    .description('download the signed bundle for devices, verify it and write it to a file')
    .requiredOption('--out <file>', 'file to write')
    .addHelpText('after', examples('tps indicators bundle --out indicators.dsse.json'))
    .action(async ({ out }: { out: string }, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const { keys } = await client.indicators.keys(tenant);
      const answer = await client.indicators.bundleIfChanged(tenant);
      if (!answer) throw notVerified('The service returned no bundle.');
      const { tenantId, ...opened } = await openUnchecked(answer.bundle, keys);
      const path = resolve(context.directory, out);
      await writeFile(path, `${JSON.stringify(answer.bundle)}\n`);
      const document = {
        path,
        tenant_id: tenantId,
        version: opened.version,
        indicators: opened.indicators.length,
        generated_at: toTime(opened.generatedAtMs),
        expires_at: toTime(opened.expiresAtMs),
        keyid: answer.bundle.signatures[0]?.keyid ?? null,
      };
      await printFields(session, document, [
        ['file', path],
        ['tenant', tenantId],
        ['version', document.version],
        ['indicators', document.indicators],
        ['signed', document.generated_at],
        ['expires', document.expires_at],
        ['key', document.keyid],
      ]);
    });
}

async function openUnchecked(envelope: { payload: string }, keys: readonly { public_key_b64: string }[]) {
  const { BundleError, openBundle } = await import('@tps/detection/indicators');
  const publicKeys = keys.map(({ public_key_b64: key }) => key);
  try {
    return await openBundle(envelope, {
      publicKeys,
      tenantId: tenantOf(envelope),
      notOlderThanVersion: 0,
      nowMs: Date.now(),
    });
  } catch (error) {
    if (error instanceof BundleError) throw notVerified(error.message, error);
    throw error;
  }
}

/** Returns the tenant that the bundle names. The credential selects the tenant, which is not known here. */
function tenantOf({ payload }: { payload: string }): string {
  try {
    const { tenant_id: tenantId } = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as {
      tenant_id?: unknown;
    };
    return String(tenantId);
  } catch {
    return '';
  }
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

function notVerified(why: string, cause?: unknown): CommandError {
  const message = `The bundle was not written: ${why}`;
  return new CommandError(message, { code: 'bundle_not_verified', exitCode: EXIT.failure, cause });
}
