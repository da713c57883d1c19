export { noteSilentDevices } from './note-silent-devices.ts';
export { SignatureFailures } from './signature-failures.ts';
export { SilenceWatch } from './silence-watch.ts';
