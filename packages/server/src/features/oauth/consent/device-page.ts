import { formTokenField } from '../../../platform/web/form-token.ts';
import { html } from '../../../platform/web/html.ts';
import { toPage, type WebReply, type WebRequest } from '../../../platform/web/web-route.ts';

/** Asks for the code that a device shows. */
export function codePage(
  request: WebRequest,
  { code, problem }: { code: string; problem?: string },
): WebReply {
  const body = html`
${problem !== undefined && html`<p class="error" id="problem" role="alert">${problem}</p>`}
<form method="post" action="${request.site.path('/device')}">
${formTokenField(request)}
<label for="code">Code</label>
<input id="code" name="user_code" value="${code}" required maxlength="20" autocomplete="off" autocapitalize="characters"
  spellcheck="false"${problem !== undefined && html` aria-describedby="problem"`} autofocus>
<button>Continue</button>
</form>
<p class="note">Enter only a code that you see on your own device. If someone sends you a code, do not enter it: they could
act in your name.</p>`;
  return toPage('Connect a device', body, { status: problem === undefined ? 200 : 400 });
}

/** Says whether the device is connected. */
export function decidedPage(isAllowed: boolean): WebReply {
  return isAllowed
    ? toPage(
        'The device is connected',
        html`<p>The device continues without you. You can close this page.</p>`,
      )
    : toPage('The device was not connected', html`<p>Nothing was allowed. You can close this page.</p>`);
}

/** Where the request of a device came from, as the person should compare it. */
export function deviceOrigin(code: string, info: Readonly<Record<string, unknown>>): ReturnType<typeof html> {
  const { ip, ua } = info;
  return html`
<p>The device must show the code <code>${code}</code>.</p>
<dl>
<dt>Address of the device</dt><dd>${typeof ip === 'string' && ip !== '' ? ip : 'unknown'}</dd>
<dt>Program</dt><dd>${typeof ua === 'string' && ua !== '' ? ua : 'unknown'}</dd>
</dl>`;
}
