export { CookieJar } from './cookie-jar.ts';
export { FormBrowser, type SubmitOptions } from './form-browser.ts';
export type { FormButton, HtmlForm, HtmlPage } from './html-page.ts';
