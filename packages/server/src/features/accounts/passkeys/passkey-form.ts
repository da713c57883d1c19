import { formTokenField } from '../../../platform/web/form-token.ts';
import { type Html, html } from '../../../platform/web/html.ts';
import { webAsset } from '../../../platform/web/web-asset.ts';
import type { WebRequest, WebRoute } from '../../../platform/web/web-route.ts';

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const LIBRARY = 'simplewebauthn-browser.js';
const SCRIPT = 'passkey.js';

/** The scripts of pages that use a passkey. All other pages have none. */
export function passkeyAssets(): WebRoute[] {
  const library = new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser'));
  const script = new URL('./assets/passkey.js', import.meta.url);
  return [
    webAsset(LIBRARY, { type: SCRIPT_TYPE, file: library }),
    webAsset(SCRIPT, { type: SCRIPT_TYPE, file: script }),
  ];
}

/**
 * Builds a form that makes the browser create or use a passkey, and posts its answer in the field `answer`. The options are
 * in the page, so the script makes no requests.
 */
export function passkeyForm(
  request: WebRequest,
  form: {
    readonly page: string;
    readonly kind: 'create' | 'get';
    readonly options: object;
    readonly submit: string;
    readonly fields: readonly Html[];
  },
): Html {
  const { site } = request;
  return html`<noscript><p class="error">Passkeys need JavaScript, which is off in this browser.</p></noscript>
<p class="error" id="passkey-problem" role="alert" hidden></p>
<form method="post" action="${site.path(form.page)}" id="passkey-form" data-kind="${form.kind}" data-options="${JSON.stringify(form.options)}">
${formTokenField(request)}${form.fields}<input type="hidden" name="answer" value="">
<button type="submit">${form.submit}</button>
</form>
<script src="${site.path(`/assets/${LIBRARY}`)}"></script>
<script src="${site.path(`/assets/${SCRIPT}`)}"></script>`;
}
