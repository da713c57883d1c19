import { countOf } from '@tps/contract/vocabulary';
import type { Command } from 'commander';
import { rewrapTotpSecrets } from '../../features/accounts/index.ts';
import { rewrapBundleKey } from '../../features/indicators/index.ts';
import { rewrapChannelTargets } from '../../features/notices/index.ts';
import { rewrapOauthKeys } from '../../features/oauth/index.ts';
import { rewrapSignOnSecrets } from '../../features/sign-on/index.ts';
import { rewrapSecrets } from '../../features/webhooks/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { CommandContext } from './command-context.ts';
import { jsonOption, toJsonText } from './json-option.ts';
import { withStore } from './with-store.ts';

/** Each can be stopped at any moment and started again. The first one requires a master key. */
const REWRAPS = [
  rewrapSecrets,
  rewrapTotpSecrets,
  rewrapSignOnSecrets,
  rewrapChannelTargets,
  rewrapBundleKey,
  rewrapOauthKeys,
];

export function addSecretCommands(program: Command, { env, stdout, stderr, failWith }: CommandContext): void {
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
  1. with several nodes, set the new key as SERVICE_SECRET_KEY_B64_PREVIOUS on each, and restart it
  2. set the new key as SERVICE_SECRET_KEY_B64 and the old one as SERVICE_SECRET_KEY_B64_PREVIOUS on each node, and
     restart it
  3. when every node has restarted, run: tps secrets rewrap
  4. when it reports none that are unreadable, remove SERVICE_SECRET_KEY_B64_PREVIOUS

Examples:
  tps secrets rewrap
  tps secrets rewrap --json`,
    )
    .action(({ json }: { json?: true }) =>
      withStore(env, async ({ database, config }) => {
        const secrets = new SecretBox(config.secrets);
        const parts = { database, secrets, clock: systemClock };
        let [rewrapped, unreadable] = [0, 0];
        for (const rewrap of REWRAPS) {
          const done = await rewrap(parts);
          rewrapped += done.rewrapped;
          unreadable += done.unreadable;
        }
        stdout(
          json
            ? toJsonText({ rewrapped, unreadable })
            : `${countOf(rewrapped, 'secret')} re-encrypted, ${unreadable} unreadable`,
        );
        if (unreadable === 0) return;
        stderr('Keep the previous key. "tps check" reports which secrets cannot be read, and what to do.');
        failWith(1);
      }),
    );
}
