import type { SignOn, SignOnSettings } from '@tps/client';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { readSecretFile } from '../connection/secret-input.ts';
import { printDone, printFields } from '../output/print.ts';
import { toShortTime } from '../output/time.ts';
import { addGroup, type Fields, omitUndefined, openCall } from './api-command.ts';
import { examples } from './examples.ts';
import { choice, ROLES, toWords } from './values.ts';

type RoleMapping = NonNullable<SignOnSettings['role_map']>[number];

/** Adds the commands of the group `sign-on`. */
export function addSignOnCommands(program: Command, context: CommandContext): void {
  const signOn = addGroup(
    program,
    'sign-on',
    'let people sign in at the OpenID provider of your organization',
    'tps sign-on show',
    'tps sign-on remove',
  );
  signOn
    .command('show')
    .description('show the provider and its settings')
    .addHelpText('after', examples('tps sign-on show'))
    .action(async (_options: object, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      const settings = await client.signOn.get(tenant);
      await printFields(session, settings, toFields(settings));
    });
  addSet(signOn, context);
  signOn
    .command('remove')
    .description('end single sign-on and the sessions that began with it')
    .addHelpText('after', examples('tps sign-on remove'))
    .action(async (_options: object, command: Command) => {
      const { client, session, tenant } = await openCall(context, command);
      await client.signOn.remove(tenant);
      await printDone(session, 'Ended single sign-on.', { removed: true });
    });
}

interface Flags {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecretFile?: string;
  readonly domains: string[];
  readonly trustEmail?: true;
  readonly extraScopes?: string[];
  readonly roleClaim?: string;
  readonly map?: RoleMapping[];
  readonly defaultRole?: NonNullable<SignOnSettings['default_role']>;
  readonly createMembers?: true;
  readonly required?: true;
}

function addSet(signOn: Command, context: CommandContext): void {
  signOn
    .command('set')
    .description('set up single sign-on, or replace all its settings')
    .requiredOption('--issuer <url>', 'issuer of the provider')
    .requiredOption('--client-id <id>', 'client id of this service at the provider')
    .option('--client-secret-file <file>', 'file with the client secret, or "-" (default: the present one)')
    .requiredOption('--domains <domains>', 'domains of e-mail addresses, separated by commas', toWords)
    .option('--trust-email', 'count addresses as verified if the provider does not state it, like Entra ID')
    .option(
      '--extra-scopes <scopes>',
      'scopes to request in addition to openid, email and profile, separated by commas',
      toWords,
    )
    .option('--role-claim <name>', 'claim that decides the role, such as groups or /realm_access/roles')
    .option('--map <value=role>', 'role for a value of the claim; can be repeated', toMapping)
    .addOption(choice('--default-role <role>', 'role of people without a mapped value', ROLES))
    .option('--create-members', 'make the people whom the provider confirms members')
    .option('--required', 'reject passwords and passkeys, except those of admins')
    .addHelpText(
      'after',
      examples(
        'tps sign-on set --issuer https://login.example.com --client-id tps --client-secret-file secret.txt \\\n      --domains example.com --default-role viewer --create-members',
        'tps sign-on set --issuer https://login.example.com --client-id tps --domains example.com \\\n      --role-claim groups --map security-admins=admin --map security=analyst --create-members',
      ),
    )
    .action(async (flags: Flags, command: Command) => {
      const { clientSecretFile: file } = flags;
      const secret = file === undefined ? undefined : await readSecretFile(context, file);
      const { client, session, tenant } = await openCall(context, command);
      const settings = await client.signOn.replace({
        issuer: flags.issuer,
        client_id: flags.clientId,
        allowed_domains: flags.domains,
        trust_email: flags.trustEmail ?? false,
        create_members: flags.createMembers ?? false,
        required: flags.required ?? false,
        ...omitUndefined({
          client_secret: secret,
          extra_scopes: flags.extraScopes,
          role_claim: flags.roleClaim,
          role_map: flags.map,
          default_role: flags.defaultRole,
        }),
        ...tenant,
      });
      await printFields(session, settings, toFields(settings));
    });
}

/** Parses `security-admins=admin`. The value may contain equals signs. */
function toMapping(text: string, previous: readonly RoleMapping[] = []): readonly RoleMapping[] {
  const at = text.lastIndexOf('=');
  const value = text.slice(0, at);
  const role = ROLES.find((one) => one === text.slice(at + 1));
  if (at > 0 && role) return [...previous, { value, role }];
  throw new InvalidArgumentError(`Use <value>=<role>, with one of ${ROLES.join(', ')}.`);
}

function toFields(settings: SignOn): Fields {
  return [
    ['issuer', settings.issuer],
    ['client', settings.client_id],
    ['secret', settings.has_secret ? 'stored' : 'none'],
    ['domains', settings.allowed_domains.join(', ')],
    ['addresses', settings.trust_email ? 'count as verified' : 'must be verified by the provider'],
    ['extra scopes', settings.extra_scopes.join(', ')],
    ['role claim', settings.role_claim],
    ['roles', settings.role_map.map(({ value, role }) => `${value} = ${role}`).join(', ')],
    ['default role', settings.default_role],
    ['new people', settings.create_members ? 'become members' : 'need an invitation'],
    ['password', settings.required ? 'rejected, except for admins' : 'accepted'],
    ['redirect uri', settings.redirect_uri],
    ['sign-on page', settings.sign_on_url],
    ['updated', toShortTime(settings.updated_at)],
  ];
}
