export { FormBrowser, type SubmitOptions } from './form-browser.ts';
export type { FormButton, HtmlForm, HtmlPage } from './html-page.ts';
export { approveDevice, authorize, type ConsentChoice, signIn } from './sign-in.ts';
export { type Chromium, useChromium } from './use-chromium.ts';
