export { type RedactableEvent, redactEvent } from './redaction/redact-event.ts';
export { redactText } from './redaction/redact-text.ts';
