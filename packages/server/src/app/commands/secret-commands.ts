import type { Command } from 'commander';
import { rewrapTotpSecrets } from '../../features/accounts/index.ts';
import { rewrapBundleKey } from '../../features/indicators/index.ts';
import { rewrapOauthKeys } from '../../features/oauth/index.ts';
import { rewrapSignOnSecrets } from '../../features/sign-on/index.ts';
import { rewrapSecrets } from '../../features/webhooks/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';
import { withStore } from './with-store.ts';

export function addSecretCommands(program: Command, { env, stdout, failWith }: CommandContext): void {
  program
    .command('secrets')
    .description('manage the encrypted secrets in the store')
    .addHelpText('after', '\nExamples:\n  tps secrets rewrap')
    .command('rewrap')
    .description('re-encrypt secrets from SERVICE_SECRET_KEY_B64_PREVIOUS to SERVICE_SECRET_KEY_B64')
    .addOption(jsonOption('rewrapped, unreadable'))
    .addHelpText(
      'after',
      `
To replace the master key:
  1. set the new one as SERVICE_SECRET_KEY_B64 and the old one as SERVICE_SECRET_KEY_B64_PREVIOUS, on every node
  2. restart the service and run: tps secrets rewrap
  3. remove SERVICE_SECRET_KEY_B64_PREVIOUS

Examples:
  tps secrets rewrap
  tps secrets rewrap --json`,
    )
    .action(({ json }: { json?: true }) =>
      withStore(env, async ({ database, config }) => {
        const secrets = new SecretBox(config.secrets);
        const parts = { database, secrets, clock: systemClock };
        const ofWebhooks = await rewrapSecrets(parts);
        const ofApps = await rewrapTotpSecrets(parts);
        const ofProviders = await rewrapSignOnSecrets(parts);
        const keys = (await rewrapBundleKey(parts)) + (await rewrapOauthKeys(parts));
        const rewrapped = ofWebhooks.rewrapped + ofApps.rewrapped + ofProviders.rewrapped + keys;
        const unreadable = ofWebhooks.unreadable + ofApps.unreadable + ofProviders.unreadable;
        stdout(
          json
            ? toJsonText({ rewrapped, unreadable })
            : `${rewrapped} secrets re-encrypted, ${unreadable} unreadable`,
        );
        if (unreadable > 0) failWith(1);
      }),
    );
}
