import { SCOPES } from '@tps/contract';
import { exchangeSession, startSession } from '@tps/testing/console';
import { createPerson, type TestPerson, type TestService, type TestTenant } from '@tps/testing/service';
import { grantCode, REDIRECT_URI } from '../../oauth/provider/testing/code-grant.ts';
import {
  createClient,
  type OauthTestClient,
  tokenRequest,
} from '../../oauth/provider/testing/oauth-requests.ts';

export interface Scene {
  readonly tenant: TestTenant;
  /** An admin who sets things up. */
  readonly person: TestPerson;
  /** An application that the person lets act, if it was asked for. */
  readonly application?: OauthTestClient;
}

/** Something that was set up. */
export interface Plant {
  readonly kind: string;
  readonly id: string;
  /** Whether it still acts. */
  readonly acts: () => Promise<boolean>;
}

/** The kinds that `plant` sets up. Single sign-on, of which a tenant has one, is missing. */
export const KINDS = ['token', 'enrolment', 'oauth_client', 'invitation', 'webhook', 'notice_channel'];

/** A program with all scopes. */
export const PROGRAM = { name: 'program', grant_types: ['client_credentials'], scopes: SCOPES };

const URL_OF_OWNER = 'http://127.0.0.1:9/';
export const WEBHOOK = { url: URL_OF_OWNER, secret: 'a-secret-of-thirty-two-characters' };
const CHANNEL = { name: 'planted', kind: 'slack', url: URL_OF_OWNER };
const PATHS = {
  enrolment: { path: '/enrolments', member: 'enrolment_id' },
  invitation: { path: '/invitations', member: 'invitation_id' },
  webhook: { path: '/webhooks', member: 'webhook_id' },
  notice_channel: { path: '/notice-channels', member: 'channel_id' },
};

export type Body = Record<string, string>;

/** What people and programs set up in a service, and whether it still acts. */
export class HoldingScenes {
  readonly #service: TestService;

  constructor(service: TestService) {
    this.#service = service;
  }

  /** Creates a tenant with two admins, one of whom is the person of the scene. */
  async open(): Promise<Scene> {
    const tenant = await this.#service.createTenant();
    await this.addAdmin(tenant);
    return { tenant, person: await this.addAdmin(tenant) };
  }

  /** Opens a scene with another admin, both at the console. */
  async openPair() {
    const scene = await this.open();
    const other = { ...scene, person: await this.addAdmin(scene.tenant) };
    return { scene, other, byOwner: await this.console(scene), byOther: await this.console(other) };
  }

  /** Removes the person. @throws Error if that is refused */
  async remove({ tenant, person }: Scene): Promise<void> {
    const { status } = await this.send(tenant.credential, 'DELETE', `/members/${person.accountId}`);
    if (status !== 204) throw new Error(`the removal answered ${status}`);
  }

  adopt(credential: string, { client_id: id }: Body) {
    return this.send(credential, 'POST', '/holdings/adopt', { items: [{ kind: 'oauth_client', id }] });
  }

  /** Replaces the secret of a client, and then adopts the client. Returns it with the new secret. */
  async takeOver(credential: string, client: Body): Promise<Body> {
    const path = `/oauth-clients/${client.client_id}/rotate-secret`;
    const { body: rotated } = await this.send(credential, 'POST', path, {});
    const { status } = await this.adopt(credential, client);
    if (status !== 200) throw new Error(`the adoption answered ${status}`);
    return { ...client, ...rotated };
  }

  /** Makes an application, and gets the access token of a third admin who lets it act. */
  async actForOther(scene: Scene, byOwner: string) {
    const grants = {
      grant_types: ['authorization_code', 'client_credentials'],
      redirect_uris: [REDIRECT_URI],
    };
    const made = await this.create(byOwner, '/oauth-clients', { ...PROGRAM, ...grants });
    const application = {
      tenantId: scene.tenant.tenantId,
      clientId: made.client_id ?? '',
      secret: made.client_secret ?? '',
      authMethod: made.token_endpoint_auth_method ?? '',
    };
    const third = { ...scene, person: await this.addAdmin(scene.tenant), application };
    return { made, application, access: await this.throughApplication(third) };
  }

  /** Returns the first owner of a holding, if it has one. */
  async ownersOf({ tenant }: Scene, id: string): Promise<string[]> {
    const { body } = await this.send(tenant.credential, 'GET', '/holdings');
    const all = body.data as unknown as { id: string; owner_id: string }[];
    return all.filter((one) => one.id === id).map(({ owner_id: owner }) => owner);
  }

  addAdmin(tenant: TestTenant): Promise<TestPerson> {
    return createPerson({ ...this.#service, tenant }, { role: 'admin' });
  }

  async addApplication(scene: Scene): Promise<Scene & { application: OauthTestClient }> {
    const grants = { grant_types: ['authorization_code', 'refresh_token'], redirect_uris: [REDIRECT_URI] };
    const running = { ...this.#service, tenant: scene.tenant };
    return { ...scene, application: await createClient(running, { ...grants, scopes: SCOPES }) };
  }

  async send(credential: string, method: string, path: string, body?: object) {
    const answer = await this.#service.client.send(method, path, { credential, ...(body && { body }) });
    return { status: answer.status, body: answer.body as Body };
  }

  /** @throws Error if it is not created */
  async create(credential: string, path: string, body: object): Promise<Body> {
    const { status, body: created } = await this.send(credential, 'POST', path, body);
    if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(created)}`);
    return created;
  }

  /** Returns the token that the person has at the console. */
  async console({ tenant, person }: Pick<Scene, 'tenant' | 'person'>): Promise<string> {
    const secret = await startSession(this.#service, person);
    const wanted = { body: { tenant_id: tenant.tenantId } };
    return (await exchangeSession(this.#service, secret, wanted)).body.access_token;
  }

  /** Returns a token that another token has made, which the person made at the console. */
  async tokenOfToken(scene: Scene): Promise<string> {
    return this.createToken(await this.createToken(await this.console(scene)));
  }

  async createToken(credential: string): Promise<string> {
    return (await this.create(credential, '/tokens', { name: 'made', scopes: SCOPES })).token ?? '';
  }

  /** Returns the token of a program that uses a client which the person has registered. */
  async ownClient(scene: Scene): Promise<string> {
    return this.clientOf(await this.console(scene), scene.tenant);
  }

  /** Registers a client, and returns its token. */
  async clientOf(credential: string, tenant: TestTenant): Promise<string> {
    return this.tokenOf(tenant, await this.create(credential, '/oauth-clients', PROGRAM));
  }

  /** Returns a token of a client that acts for itself. */
  async tokenOf({ tenantId }: TestTenant, client: Body): Promise<string> {
    const { client_id: clientId = '', client_secret: secret = '', token_endpoint_auth_method = '' } = client;
    const parts = { tenantId, clientId, secret, authMethod: token_endpoint_auth_method };
    const { body } = await tokenRequest(this.#service, parts, { grant_type: 'client_credentials' });
    return String(body.access_token);
  }

  /** Returns the tokens of an application that the person lets act. */
  async grant({ person, application }: Scene): Promise<{ access: string; refresh: string }> {
    if (!application) throw new Error('the scene has no application');
    const form = await grantCode(this.#service, application, { person, scope: SCOPES.join(' ') });
    const { body } = await tokenRequest(this.#service, application, form);
    return { access: String(body.access_token), refresh: String(body.refresh_token) };
  }

  async throughApplication(scene: Scene): Promise<string> {
    return (await this.grant(scene)).access;
  }

  /** Sets up one thing of each of these kinds. */
  async plant({ tenant }: Scene, credential: string, kinds: readonly string[] = KINDS): Promise<Plant[]> {
    const create = (path: string, body: object) => this.create(credential, path, body);
    const planters: Record<string, () => Promise<Plant>> = {
      token: async () =>
        this.tokenPlant(await create('/tokens', { name: 'planted', scopes: ['status:read'] })),
      enrolment: async () =>
        this.#plantOf(tenant, 'enrolment', await create('/enrolments', { name: 'planted' })),
      oauth_client: async () =>
        this.clientPlant(tenant, await create('/oauth-clients', { ...PROGRAM, scopes: ['status:read'] })),
      invitation: async () =>
        this.#plantOf(tenant, 'invitation', await create('/invitations', { role: 'admin' })),
      webhook: async () => this.webhookPlant(tenant, await create('/webhooks', WEBHOOK)),
      notice_channel: async () =>
        this.#plantOf(tenant, 'notice_channel', await create('/notice-channels', CHANNEL)),
    };
    const plants: Plant[] = [];
    for (const kind of kinds) plants.push(...([await planters[kind]?.()] as Plant[]));
    return plants;
  }

  tokenPlant({ token_id: id = '', token = '' }: Body): Plant {
    return { kind: 'token', id, acts: () => this.isAccepted(token) };
  }

  clientPlant(tenant: TestTenant, client: Body): Plant {
    const acts = async () => this.isAccepted(await this.tokenOf(tenant, client));
    return { kind: 'oauth_client', id: client.client_id ?? '', acts };
  }

  async isAccepted(credential: string): Promise<boolean> {
    return (await this.send(credential, 'GET', '/status')).status === 200;
  }

  /** Returns the kinds of those that still act. */
  async acting(plants: readonly Plant[]): Promise<string[]> {
    const states: string[] = [];
    for (const { kind, acts } of plants) if (await acts()) states.push(kind);
    return states;
  }

  webhookPlant(tenant: TestTenant, webhook: Body): Plant {
    return this.#plantOf(tenant, 'webhook', webhook);
  }

  #plantOf({ credential }: TestTenant, kind: keyof typeof PATHS, made: Body): Plant {
    const { path, member } = PATHS[kind];
    const id = made[member] ?? '';
    const acts = async () => {
      const { status } = (await this.send(credential, 'GET', `${path}/${id}`)).body;
      return status === 'active' || status === 'pending';
    };
    return { kind, id, acts };
  }
}
