import type { ThreatCategory } from '@tps/contract';

/** What to do about one kind of threat, in words for the people involved. */
export interface Playbook {
  /** Immediate advice to the affected person if the threat was not stopped. */
  readonly contain: string;
  /** The question to ask them. */
  readonly ask: string;
  /** What an administrator does to stop the threat on other devices. */
  readonly hunt: string;
  /** How to remove the cause of repeated blocks; null if the cause cannot be on the device. */
  readonly cause: string | null;
}

export const PLAYBOOKS: Record<ThreatCategory, Playbook> = {
  phishing: {
    contain:
      'Do not open the message again. If a password was entered, change it from another device and sign out all sessions. If card data was entered, have the bank block the card now.',
    ask: 'Was the link opened, and was a password, a code or payment data entered?',
    hunt: 'Block the sender and the page at the mail and web gateways, and search the mailboxes for the same message.',
    cause: null,
  },
  phone_scam: {
    contain:
      'Hang up, send no money, and call the organisation back on a number that you already know. If money was sent, call the bank now.',
    ask: 'Did the call continue, was money sent, and was a code, a password or a card number given?',
    hunt: 'Block the number for all devices and report it to the telephone provider.',
    cause: null,
  },
  social_engineering: {
    contain:
      'Pay nothing, change nothing and hand over nothing until the request is confirmed on a channel that you already know.',
    ask: 'Was anything paid, changed or handed over because of the request, and who did it claim to come from?',
    hunt: 'Warn the team that was impersonated and the teams that could get the same request.',
    cause: null,
  },
  malicious_app: {
    contain:
      'Disconnect the device from company networks and do not open the app. Leave it for the administrator.',
    ask: 'Was the app opened, where did it come from, and was it given accessibility or notification access?',
    hunt: 'Look for the package or hash on all managed devices and block its installation.',
    cause: 'Remove the app and everything that reinstalls it. Reset the device if the app comes back.',
  },
  remote_control: {
    contain: 'Take the device offline, end the session, and use no account on it until it has been checked.',
    ask: 'Did someone view or control the screen, who asked for it, and which accounts were open?',
    hunt: 'Look for the tool on all managed devices, and block it where it is not needed.',
    cause:
      'Remove the remote control tool and everything that restarts it. Change the passwords that were used meanwhile.',
  },
  deepfake: {
    contain:
      'Do not trust the voice or video. Do nothing that it asked for until the real person confirms it on a channel that you already know.',
    ask: 'What did the voice or video ask for, was any of it done, and from which account did it come?',
    hunt: 'Warn the person who was imitated and their colleagues. Keep the recording as evidence.',
    cause: null,
  },
};
