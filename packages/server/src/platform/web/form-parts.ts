import { formTokenField } from './form-token.ts';
import { type Html, html } from './html.ts';
import type { WebRequest } from './web-route.ts';

/** Builds the summary of what went wrong. It comes before the form, and screen readers announce it. */
export function problemSummary(problem: string | undefined): Html | undefined {
  if (problem === undefined) return undefined;
  return html`<p class="error" id="problem" role="alert">${problem}</p>`;
}

/** Builds a form that posts to a page of ours. */
export function form(
  request: WebRequest,
  { page, body, submit }: { page: string; body: readonly (Html | undefined)[]; submit: string },
): Html {
  return html`<form method="post" action="${request.site.path(page)}">
${formTokenField(request)}
${body}
<button type="submit">${submit}</button>
</form>`;
}

/** Builds a labelled field. */
export function field(input: {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  /** What a password manager fills in: a token of the HTML standard. */
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly maxLength: number;
  readonly hint?: string;
  readonly hasFocus?: boolean;
  /** For codes: phones show digits. */
  readonly inputMode?: 'numeric';
  readonly isOptional?: boolean;
}): Html {
  const { name, hint } = input;
  return html`<p>
<label for="${name}">${input.label}</label>
<input id="${name}" name="${name}" type="${input.type}" autocomplete="${input.autocomplete}" maxlength="${input.maxLength}" value="${input.value ?? ''}"${
    input.inputMode && html` inputmode="${input.inputMode}"`
  }${hint !== undefined && html` aria-describedby="${name}-hint"`}${!input.isOptional && html` required`}${
    input.hasFocus && html` autofocus`
  }>
${hint !== undefined && html`<span class="note" id="${name}-hint">${hint}</span>`}
</p>`;
}

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** Returns how long to wait, in words. */
export function toWaitingTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (seconds <= 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return `${minutes} minutes`;
}
