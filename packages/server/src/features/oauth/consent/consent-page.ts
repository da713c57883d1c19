import { hiddenField } from '../../../platform/web/form-parts.ts';
import { formTokenField } from '../../../platform/web/form-token.ts';
import { type Html, html } from '../../../platform/web/html.ts';
import type { WebRequest } from '../../../platform/web/web-route.ts';
import { signOnPath } from '../../accounts/index.ts';
import type { ConsentClient } from './consent-client.ts';
import type { ConsentAnswer, ConsentReview, TenantOffer } from './consent-service.ts';
import { isEmpty, meaningOf, type ScopeDecision } from './scope-decision.ts';

/** Field of the form: the version of the client that the page shows. */
const SHOWN_VERSION = 'client_version';

/** Reads what a consent form says about the decision. */
export function readAnswer({ form, requestId }: WebRequest): ConsentAnswer {
  return { tenantId: form.get('tenant') ?? '', shownVersion: form.get(SHOWN_VERSION), requestId };
}

/** What a consent page shows beside the decision. */
export interface ConsentPageParts {
  readonly request: WebRequest;
  readonly review: ConsentReview;
  /** The path that its form is sent to. */
  readonly action: string;
  /** The address of the person who is signed in. */
  readonly email: Html | undefined;
  /** Where the client is: the address that it gets the answer at, or the device that asks. */
  readonly origin: Html;
  /** Hidden fields of the form. */
  readonly hidden?: Html;
}

/** The part of a page in which a person allows a client to act, or does not. */
export function consentForm({ request, review, action, email, origin, hidden }: ConsentPageParts): Html {
  const { client } = review;
  const offers = review.offers.filter(({ decision }) => !isEmpty(decision));
  return html`
<p><strong>${client.name}</strong>${client.uri !== null && html` (${hostOf(client.uri)})`} asks to act for you.</p>
${origin}
<p class="note">You are signed in as ${email}.</p>
<form method="post" action="${action}">
${formTokenField(request)}${hidden}${hiddenField(SHOWN_VERSION, String(client.version))}
${offers.length === 1 ? offers.map(oneOffer) : choiceOfOffers(offers)}
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" class="plain">Deny</button>
</form>`;
}

/** Explains why nothing can be allowed. Its form only leads back to the application. */
export function refusalForm({ request, review, action, email, hidden }: ConsentPageParts): Html {
  return html`
<p>${toReason(request, review)}</p>
<p class="note">You are signed in as ${email}.</p>
<form method="post" action="${action}">
${formTokenField(request)}${hidden}
<button name="decision" value="deny">Back</button>
</form>`;
}

function toReason({ site, path }: WebRequest, { client, offers, needsSignOn }: ConsentReview): Html {
  const name = html`<strong>${client.name}</strong>`;
  if (offers.length > 0)
    return html`Your role does not allow anything that ${name} asks for. An admin of the tenant can change that.`;
  if (needsSignOn === undefined)
    return html`You are not a member of the tenant that ${name} works for. An admin of the tenant can change that.`;
  const start = signOnPath(site, { tenantId: needsSignOn, returnTo: site.path(path) });
  return html`Your organization requires single sign-on. <a href="${start}">Use single sign-on</a>`;
}

/** Whether a person can allow anything of what is asked. */
export function canAllow({ offers }: ConsentReview): boolean {
  return offers.some(({ decision }) => !isEmpty(decision));
}

/** A list of scopes in words. */
function scopeList(scopes: readonly Parameters<typeof meaningOf>[0][]): Html {
  return html`<ul>${scopes.map((scope) => html`<li>${meaningOf(scope)} <small>${scope}</small></li>`)}</ul>`;
}

function oneOffer({ tenantId, tenantName, decision }: TenantOffer): Html {
  return html`
<input type="hidden" name="tenant" value="${tenantId}">
<h2>In ${tenantName}, it could</h2>
${decisionList(decision)}`;
}

function choiceOfOffers(offers: readonly TenantOffer[]): Html {
  return html`
<fieldset>
<legend>Choose the tenant in which it may act</legend>
${offers.map(
  ({ tenantId, tenantName, role, decision }) => html`
<label class="choice"><input type="radio" name="tenant" value="${tenantId}" required> ${tenantName} (${role})</label>
<details><summary>What it could do there</summary>${decisionList(decision)}</details>`,
)}
</fieldset>`;
}

function decisionList(decision: ScopeDecision): Html {
  const { api, openid, withheld } = decision;
  return html`
${scopeList([...openid, ...api])}
${
  withheld.length > 0 &&
  html`
<p class="note">It also asks for this. It does not get it, because your role does not allow it:</p>
${scopeList(withheld)}`
}`;
}

/** The host of an address, with its port if it has one. An address of a program on this device has none: its scheme. */
export function hostOf(address: string): string {
  const { host, protocol } = new URL(address);
  return host || protocol;
}

/** The title of a consent page. */
export function consentTitle({ name }: ConsentClient): string {
  return `Allow ${name}?`;
}
