import { problemSummary } from '../../../platform/web/form-parts.ts';
import { formTokenField } from '../../../platform/web/form-token.ts';
import { type Html, html } from '../../../platform/web/html.ts';
import { toPage, toRedirect, type WebReply, type WebRequest } from '../../../platform/web/web-route.ts';

/** The pages of an account, in the order of their menu. */
const PAGES = {
  '/account': 'Your account',
  '/account/password': 'Password',
  '/account/second-factor': 'Authenticator app',
  '/account/passkeys': 'Passkeys',
  '/account/sessions': 'Sessions',
  '/account/applications': 'Applications',
  '/account/export': 'Your data',
  '/account/delete': 'Delete account',
} as const;

export type AccountPagePath = keyof typeof PAGES;

/** What a page reports after a form was accepted. The query names it, so that a link cannot show any other text. */
const NOTICES: ReadonlyMap<string | null, string> = new Map(
  Object.entries({
    password_set: 'The password is set. All other browsers were signed out.',
    factor_removed: 'The authenticator app and the recovery codes were removed.',
    passkey_added: 'The passkey was added.',
    passkey_removed: 'The passkey was removed. All other browsers were signed out.',
    session_ended: 'The browser was signed out.',
    sessions_ended: 'All other browsers were signed out.',
  }),
);

/** Builds a page of the account: the menu, what happened, and the content. */
export function accountPage(
  request: WebRequest,
  page: {
    readonly path: AccountPagePath;
    readonly title?: string;
    readonly body: Html;
    /** What is wrong with a submitted form. */
    readonly problem?: string | undefined;
  },
): WebReply {
  const notice = NOTICES.get(request.query.get('done'));
  const links = Object.entries(PAGES).map(
    ([path, name]) =>
      html`<li><a href="${request.site.path(path)}"${path === page.path && html` aria-current="page"`}>${name}</a></li>\n`,
  );
  const body = html`${problemSummary(page.problem)}
${notice !== undefined && page.problem === undefined && html`<p class="notice" role="status">${notice}</p>`}
${page.body}
<nav aria-label="Account"><ul>
${links}</ul></nav>`;
  const status = page.problem === undefined ? 200 : 400;
  return toPage(page.title ?? PAGES[page.path], body, { status });
}

/** Leads back to a page after its form was accepted. */
export function toDone(
  { site }: WebRequest,
  path: AccountPagePath,
  notice: string,
  more: Pick<WebReply, 'cookies'> = {},
): WebReply {
  return toRedirect(`${site.path(path)}?done=${notice}`, more);
}

/** Builds a form of one button, which names what it does to screen readers as well. */
export function actionForm(
  request: WebRequest,
  form: {
    readonly path: AccountPagePath;
    readonly action: string;
    readonly label: string;
    /** What the button means, if the label does not say it alone: "Remove" of which passkey. */
    readonly about?: string;
    readonly style?: 'plain' | 'danger';
    readonly fields?: Readonly<Record<string, string>>;
  },
): Html {
  const fields = Object.entries({ action: form.action, ...form.fields }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const { style, about } = form;
  return html`<form method="post" action="${request.site.path(form.path)}">
${formTokenField(request)}${fields}
<button type="submit"${style && html` class="${style}"`}${about && html` aria-label="${form.label}: ${about}"`}>${form.label}</button>
</form>`;
}

/** Builds a time as people read it, in UTC. */
export function timeText(atMs: number): Html {
  const iso = new Date(atMs).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}
