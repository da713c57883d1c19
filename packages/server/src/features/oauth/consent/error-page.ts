import type { Configuration } from 'oidc-provider';
import { html } from '../../../platform/web/html.ts';
import { layout } from '../../../platform/web/layout.ts';
import { pagePolicy } from '../../../platform/web/page-policy.ts';
import type { WebSite } from '../../../platform/web/web-route.ts';

type RenderError = NonNullable<Configuration['renderError']>;
type ErrorContext = Parameters<RenderError>[0];
type ErrorOut = Parameters<RenderError>[1];

/**
 * Shows what is wrong with a request of an application that cannot be sent back to it. What the request contained is shown
 * only as text.
 */
export function errorPage(site: WebSite): (ctx: ErrorContext, out: ErrorOut) => void {
  return (ctx, { error, error_description: description }) => {
    ctx.type = 'html';
    ctx.set('content-security-policy', pagePolicy());
    ctx.body = layout(site, {
      title: 'This request cannot be continued',
      body: html`
<p>The application that sent you here made a request that this service does not accept. Go back to the application and
try again. If this page appears again, send these lines to the people who run the application.</p>
<p><code>${error}</code></p>
${description !== undefined && html`<p class="note">${description}</p>`}`,
    });
  };
}
