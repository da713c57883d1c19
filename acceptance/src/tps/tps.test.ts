import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { enrolDevice } from '@tps/agent';
import { buildCommandLine } from '@tps/server/command-line';
import { useFixture } from '@tps/testing/fixture';
import { findFreePort } from '@tps/testing/network';
import { FROM_SOURCE } from '@tps/testing/process';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { createTpsUser, TPS, type TpsUser } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';
import { populateTenant } from '../api/populated-tenant.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const populated = useFixture(() => populateTenant(service));

/** A person logged in as an administrator of the populated tenant. */
async function loggedIn(): Promise<TpsUser> {
  const user = createTpsUser();
  const login = ['login', service.baseUrl, '--json'];
  const { code, stdout, stderr } = await user.run(login, { input: populated.tenant.credential });
  if (code !== 0) throw new Error(stderr);
  expect(JSON.parse(stdout)).toEqual({ profile: 'default', url: service.baseUrl });
  return user;
}

test('init prepares a service in one command', async () => {
  const user = createTpsUser();
  const bind = `127.0.0.1:${await findFreePort()}`;
  const made = await user.spawn(['init', '--bind', bind, '--name', 'Example Ltd', '--json']);
  const { tenant_id, admin_link: link } = JSON.parse(made.stdout) as Record<string, string>;
  const modeOf = async (...path: string[]) => (await stat(join(user.directory, ...path))).mode & 0o777;
  expect(await modeOf('tps.env')).toBe(0o600);
  expect(await modeOf('.config', 'tps', 'config.json')).toBe(0o600);

  const serving = user.start(['serve']);
  let output = '';
  serving.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await waitUntil(() => output.includes('service started'));
  // The tenant and the credential exist, so the first start creates and prints nothing.
  expect(output).not.toContain('first start');
  const [status, tenants, help, again, operator] = await Promise.all([
    user.json<object>('status'),
    user.spawn(['--json', 'tenants', 'list']),
    user.spawn(['help', 'tenants']),
    user.run(['init', '--profile', 'other']),
    user.spawn(['tokens', 'create', '--operator', '--name', 'night shift']),
  ]);
  // The link leads to the service that was set up. The operator can make another one.
  const repeated = await user.spawn(['admin-link', '--tenant', tenant_id ?? '', '--json']);
  const { link: another = '' } = JSON.parse(repeated.stdout) as Record<string, string>;
  for (const one of [link ?? '', another]) {
    expect(one.startsWith(`http://${bind}/auth/invitation?token=`)).toBe(true);
    expect((await fetch(one)).status).toBe(200);
  }
  expect(status).toMatchObject({ status: 'unprotected', tenant_id, webhooks: { persistence: 'persistent' } });
  expect(JSON.parse(tenants.stdout)).toMatchObject([{ tenant_id, name: 'Example Ltd' }]);
  expect(help.stdout).toContain('tps tenants');
  expect(again).toMatchObject({ code: 6, stderr: expect.stringContaining('already') });
  expect(operator.stdout).toMatch(/^tok_\w+\nsvc_live_\w+\n$/);

  serving.kill('SIGTERM');
  expect(await once(serving, 'close')).toEqual([0, null]);
  expect(output).toContain('"msg":"service stopped"');
});

test('init takes the address from SERVICE_BIND', async () => {
  const user = createTpsUser();
  const { code } = await user.run(['init', '--json'], { env: { SERVICE_BIND: '127.0.0.1:8099' } });
  expect(code).toBe(0);
  expect(await readFile(join(user.directory, 'tps.env'), 'utf8')).toContain("SERVICE_BIND='127.0.0.1:8099'");
});

test('init can be repeated after a failure', async () => {
  const user = createTpsUser();
  const failed = await user.spawn(['init', '--name', '']);
  expect(failed.code).toBe(2);
  await expect(access(join(user.directory, 'tps.env'))).rejects.toThrow();
  // Without a saved profile the credential would be lost.
  await writeFile(join(user.directory, 'file'), '');
  const unsaved = await user.run(['init'], { env: { XDG_CONFIG_HOME: join(user.directory, 'file') } });
  expect(unsaved).toMatchObject({ code: 1 });
  const everywhere = await user.run(['init', '--bind', '0.0.0.0:8080']);
  expect(everywhere).toMatchObject({ code: 2, stderr: expect.stringContaining('--url is required') });
  const made = await user.spawn(['init', '--directory', 'we"ird $HOME']);
  expect(made.code, made.stderr).toBe(0);
  await access(join(user.directory, 'we"ird $HOME', 'data', 'service.db'));
});

test('each list is printed as a table, as one document, and as a document per line', async () => {
  const user = await loggedIn();
  const { ids } = populated;
  const lists: [args: string[], id: string][] = [
    [['devices', 'list'], ids.device],
    [['events', 'list'], ids.event],
    [['alerts', 'list'], ids.alert],
    [['threats', 'list'], ids.threat],
    [['incidents', 'list'], ids.incident],
    [['policies', 'list'], ids.policy],
    [['jobs', 'list'], ids.job],
    [['jobs', 'artifacts', ids.job], ids.artifact],
    [['jobs', 'steps', ids.job], 'collect_evidence'],
    [['jobs', 'audit'], ids.job],
    [['webhooks', 'list'], ids.webhook],
    [['webhooks', 'deliveries', ids.webhook], ids.event],
    [['webhooks', 'dlq', 'list'], ids.dead_letter],
    [['enrolments', 'list'], ids.enrolment],
    [['members', 'list'], ids.account],
    [['invitations', 'list'], ids.invitation],
    [['tokens', 'list'], ids.token],
    [['tokens', 'audit'], ids.token],
    [['guidance', 'list'], 'gui_'],
  ];
  for (const [args, id] of lists) {
    const [table, json, ndjson] = await Promise.all([
      user.runWell(...args),
      user.runWell(...args, '--json'),
      user.runWell(...args, '--ndjson', '--limit', '3'),
    ]);
    expect(table.split('\n')[0], args.join(' ')).toMatch(/^[A-Z][A-Z ]+$/);
    expect(table, args.join(' ')).toContain(id);
    expect(JSON.stringify(JSON.parse(json)), args.join(' ')).toContain(id);
    const lines = ndjson.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(3);
    for (const line of lines) expect(JSON.parse(line)).toBeTypeOf('object');
  }
});

test('one object of each noun is shown', async () => {
  const user = await loggedIn();
  const { ids } = populated;
  const shown: [args: string[], text: string][] = [
    [['devices', 'show', ids.device], 'public key'],
    [['events', 'show', ids.event], 'confidence'],
    [['alerts', 'show', ids.alert], ids.threat],
    [['threats', 'show', ids.threat], 'indicators'],
    [['incidents', 'show', ids.incident], ids.alert],
    [['policies', 'show', ids.policy], 'threshold'],
    [['policies', 'simulate', ids.policy, '--action', 'block', '--since', '1h'], 'stricter'],
    [['jobs', 'show', ids.job], 'waiting_review'],
    [['jobs', 'report', ids.job], '# '],
    [['jobs', 'artifact', ids.artifact], ''],
    [['webhooks', 'show', ids.webhook], 'last delivery'],
    [['enrolments', 'show', ids.enrolment], '0 of 1'],
    [['tokens', 'show', ids.token], 'tokens:write'],
    [['status'], 'incidents'],
  ];
  for (const [args, text] of shown) {
    expect(await user.runWell(...args), args.join(' ')).toContain(text);
  }
});

test('an incident is updated, triaged and reviewed', async () => {
  const user = await loggedIn();
  const { incident } = populated.ids;
  await user.runWell('incidents', 'update', incident, '--severity', 'high', '--tags', 'vip,finance');
  expect(await user.runWell('incidents', 'assign', incident, 'jo')).toContain('jo');
  const started = await user.json<object>('incidents', 'start', incident);
  expect(started).toMatchObject({
    status: 'in_progress',
    severity: 'high',
    tags: ['vip', 'finance'],
    assignee: 'jo',
  });

  const job = await user.json<{ job_id: string; status: string }>('jobs', 'create', incident, '--wait');
  expect(job.status).toBe('waiting_review');
  expect(await user.run(['jobs', 'review', job.job_id, 'maybe'])).toMatchObject({ code: 2 });
  expect(await user.runWell('jobs', 'review', job.job_id, 'reject', '--comment', 'no')).toContain('rejected');
  expect(await user.run(['jobs', 'review', job.job_id, 'approve'])).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/^tps: .+ \(invalid_review_state, request req_\S+\)\n$/),
  });
});

test('a webhook is added, tested, rotated and removed, its dead letter replayed and removed', async () => {
  const user = await loggedIn();
  const added = await user.json<{ webhook_id: string; secret: string }>(
    'webhooks',
    'add',
    `${service.baseUrl}/healthz`,
  );
  expect(added.secret).toMatch(/^[\w-]{43}$/);
  const id = added.webhook_id;
  const [tested, rotated, updated] = await Promise.all([
    user.json<object>('webhooks', 'test', id),
    user.run(['webhooks', 'rotate-secret', id, '--secret-file', '-', '--overlap', '60'], {
      input: 's'.repeat(32),
    }),
    user.json<object>('webhooks', 'update', id, '--severity', 'high,critical'),
    user.runWell('webhooks', 'recover', id, '--since', '1h'),
  ]);
  expect(tested).toMatchObject({ webhook_id: id });
  expect(rotated).toMatchObject({ code: 0, stdout: expect.not.stringContaining('ssss') });
  expect(updated).toMatchObject({ severity_filter: ['high', 'critical'] });

  const { dead_letter } = populated.ids;
  expect(await user.runWell('webhooks', 'dlq', 'replay', dead_letter)).toContain(dead_letter);
  await user.runWell('webhooks', 'dlq', 'remove', dead_letter);
  await user.runWell('webhooks', 'remove', id);
  expect(await user.run(['webhooks', 'show', id])).toMatchObject({ code: 3 });
});

test('a created credential works until it is revoked, within its scopes', async () => {
  const user = await loggedIn();
  const created = await user.json<{ token_id: string; token: string }>(
    ...['tokens', 'create', '--name', 'reader', '--scopes', 'devices:read'],
  );
  const env = { TPS_CREDENTIAL: created.token };
  expect(await user.run(['devices', 'list'], { env })).toMatchObject({ code: 0 });
  expect(await user.run(['alerts', 'list'], { env })).toMatchObject({ code: 4 });
  await user.runWell('tokens', 'revoke', created.token_id);
  expect(await user.run(['devices', 'list'], { env })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('invalid_credentials'),
  });
});

test('an enrolled device records and sends a detection, and a feed reader receives it', async () => {
  const user = await loggedIn();
  const directory = join(user.directory, 'phone');
  const { tenantId, credential: enrolmentCredential } = populated.tenant;
  const { baseUrl } = service;
  await enrolDevice({ directory, baseUrl, tenantId, enrolmentCredential, platform: 'android' });
  const stop = new AbortController();
  const following = user.begin(['events', 'follow', '--since', '1h', '--poll', '100'], {
    signal: stop.signal,
  });
  const send = (...flags: string[]) =>
    user.run(['events', 'send', '--directory', 'phone', '--json', ...flags]);

  const sent = await send(
    '--category',
    'phishing',
    '--confidence',
    '0.95',
    '--description',
    'see jo@example.com',
  );
  const { event_id, delivered } = JSON.parse(sent.stdout) as { event_id: string; delivered: boolean };
  expect({ delivered, stderr: sent.stderr }).toEqual({ delivered: true, stderr: '' });
  expect(await user.json('events', 'show', event_id)).toMatchObject({
    threat_category: 'phishing',
    confidence: 0.95,
    description: 'see [email]',
  });
  expect(await send()).toMatchObject({ code: 2 });
  expect(await send('--file', '-')).toMatchObject({ code: 2 });

  await waitUntil(() => following.stdout().includes(event_id));
  stop.abort();
  expect((await following.ended).code).toBe(0);
});

test('an operator names the tenant, and a profile stores it', async () => {
  const user = createTpsUser();
  const { tenantId } = populated.tenant;
  const input = service.operatorCredential;
  await user.run(['login', service.baseUrl, '--profile', 'night', '--tenant', tenantId], { input });
  const profiles = await readFile(join(user.directory, '.config', 'tps', 'config.json'), 'utf8');
  expect(JSON.parse(profiles)).toMatchObject({ current: 'night', profiles: { night: { tenant: tenantId } } });
  const incidents = await user.json<{ id: string }[]>('incidents', 'list');
  expect(incidents.map(({ id }) => id)).toContain(populated.ids.incident);
  expect(await user.runWell('profiles', 'list')).not.toContain(input);
});

test('not found, not allowed and not reachable have exit codes; --json prints errors as JSON', async () => {
  const user = await loggedIn();
  const gone = `http://127.0.0.1:${await findFreePort()}`;
  const [missing, refused, unreachable, wrong] = await Promise.all([
    user.spawn(['incidents', 'show', 'inc_nothing', '--json']),
    user.run(['status'], { env: { TPS_CREDENTIAL: 'svc_live_wrong' } }),
    user.spawn(['status', '--url', gone], { env: { TPS_CREDENTIAL: 'x' } }),
    user.run(['login', service.baseUrl, '--profile', 'wrong'], { input: 'svc_live_wrong' }),
  ]);
  expect(missing).toMatchObject({ code: 3, stdout: '' });
  expect(JSON.parse(missing.stderr).error).toMatchObject({
    code: 'not_found',
    status: 404,
    request_id: expect.stringMatching(/^req_/),
    exit_code: 3,
  });
  expect(refused.code).toBe(4);
  expect(unreachable).toMatchObject({ code: 5, stderr: expect.stringContaining('connection_failed') });
  expect(wrong.code).toBe(4);
  const env = { TPS_CREDENTIAL: 'svc_live_wrong', TPS_URL: service.baseUrl };
  const enrolling = await user.run(['agent', 'enrol', '--directory', 'd', '--platform', 'linux'], { env });
  expect(enrolling).toMatchObject({ code: 4, stderr: expect.stringContaining('not valid') });
  // A web site is not a service: its name is not saved with a credential.
  const site = createHttpServer((_request, response) => response.writeHead(404).end('<p>none</p>'));
  onTestFinished(() => void site.close());
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(site.address() as { port: number }).port}`;
  expect(await user.run(['login', url, '--profile', 'wrong'], { input: 'svc_live_x' })).toMatchObject({
    code: 3,
  });
  expect(await user.runWell('profiles', 'list')).not.toContain('wrong');
});

test('a command ends quietly when its output is closed', async () => {
  const user = await loggedIn();
  const child = user.start(['guidance', 'list', '--ndjson']);
  let said = '';
  child.stderr.on('data', (text: Buffer) => {
    said += text;
  });
  child.stdout.destroy();
  const [code] = await once(child, 'close');
  expect({ code, said }).toEqual({ code: 0, said: '' });
});

test('every operator command of the service is a command of tps with the same description', async () => {
  const ignore = () => undefined;
  const context = {
    env: {},
    stdout: async () => true,
    stderr: ignore,
    failWith: ignore,
    serve: async () => undefined,
  };
  const { stdout } = await createTpsUser().run(['complete', '--', '']);
  const ours = new Map(stdout.split('\n').map((line) => line.split('\t') as [string, string]));
  for (const command of buildCommandLine(context).commands) {
    // tps has its own groups of these names, which call the API as well.
    if (['tokens', 'indicators', 'statistics'].includes(command.name()))
      expect([...ours.keys()]).toContain(command.name());
    else expect(ours.get(command.name()), command.name()).toBe(command.description());
  }
});

test('bash completes commands, options and the words they take', async () => {
  const user = await loggedIn();
  const complete = async (...words: string[]) => {
    const script = `
      tps() { '${process.execPath}' ${FROM_SOURCE.join(' ')} '${TPS}' "$@"; }
      source <(tps completion bash)
      COMP_WORDS=(tps ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
      _tps_complete; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: user.directory });
    return stdout.trimEnd().split('\n');
  };
  const [commands, choices, operator, files] = await Promise.all([
    complete('ev'),
    complete('alerts', 'list', '--severity', 'c'),
    complete('tenants', 'cr'),
    complete('scan', 'file', 'x'),
  ]);
  expect({ commands, choices, operator, files }).toEqual({
    commands: ['events'],
    choices: ['critical'],
    operator: ['create'],
    files: [''],
  });
});

test('all problems of a request are printed, each with the likely correction', async () => {
  const user = await loggedIn();
  const args = ['tokens', 'create', '--name', 'x'.repeat(500), '--scopes', 'event:read'];
  const run = await user.run(args);
  expect(run.code).toBe(2);
  expect(run.stderr).toMatch(
    /^tps: name must .+; scopes\[0\] must be one of .+; did you mean events:read\? \(/,
  );
  const { error } = JSON.parse((await user.run([...args, '--json'])).stderr);
  expect(error.problems).toMatchObject([{ field: 'name' }, { field: 'scopes[0]' }]);
});
