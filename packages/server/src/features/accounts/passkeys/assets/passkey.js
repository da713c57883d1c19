// Asks the browser for a passkey when the form is submitted, and submits its answer instead.
const form = document.getElementById('passkey-form');
const problem = document.getElementById('passkey-problem');
const { browserSupportsWebAuthn, startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser;

/** @param {string} text */
function show(text) {
  problem.textContent = text;
  problem.hidden = false;
}

/** The names are those of the WebAuthn specification. @param {unknown} error */
function describe(error) {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError') return 'This device has a passkey of this account already.';
  if (name === 'NotAllowedError')
    return 'The passkey was not used: the browser asked you and got no answer. Try again.';
  return `The browser could not use a passkey here (${name || 'unknown error'}).`;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  problem.hidden = true;
  const optionsJSON = JSON.parse(form.dataset.options);
  const start = form.dataset.kind === 'create' ? startRegistration : startAuthentication;
  try {
    form.elements.answer.value = JSON.stringify(await start({ optionsJSON }));
  } catch (error) {
    show(describe(error));
    return;
  }
  form.submit();
});

if (!browserSupportsWebAuthn()) show('This browser has no passkeys.');
