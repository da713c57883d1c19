import type { ThreatCategory } from '@tps/contract';

/** What to do about each kind of threat, as a person would be told. */
export interface Playbook {
  /** To the affected person, at once, when it was not stopped. */
  readonly contain: string;
  /** What to find out from them. */
  readonly ask: string;
  /** What an administrator does so that it stops elsewhere. */
  readonly hunt: string;
  /** When it keeps coming although it is blocked; null where nothing on the device causes it. */
  readonly cause: string | null;
}

export const PLAYBOOKS: Record<ThreatCategory, Playbook> = {
  phishing: {
    contain:
      'Do not open the message again. If a password was entered, change it from another device and sign out all sessions; if card data was, have the bank block the card now.',
    ask: 'Was the link opened, and was a password, a code or payment data entered?',
    hunt: 'Block sender and page at the mail and web gateway, and search the mailboxes for the same message.',
    cause: null,
  },
  phone_scam: {
    contain:
      'Hang up, send no money, and call the organisation back on a number you know already. If money has gone, call the bank now.',
    ask: 'Did the call go on, was money sent, and was a code, a password or a card number told?',
    hunt: 'Block the number for all devices and report it to the telephone provider.',
    cause: null,
  },
  social_engineering: {
    contain:
      'Pay nothing, change nothing and hand over nothing until the request is confirmed on a channel you knew before.',
    ask: 'Was anything paid, changed or handed over because of the request, and who was it said to come from?',
    hunt: 'Tell the team that was impersonated, and those who could get the same request.',
    cause: null,
  },
  malicious_app: {
    contain:
      'Disconnect the device from company networks and do not open the app. Leave it for the administrator.',
    ask: 'Was the app opened, where did it come from, and was it given accessibility or notification access?',
    hunt: 'Look for the package or hash on all managed devices and block its installation.',
    cause: 'Remove the app and whatever installs it again; set the device up anew if it comes back.',
  },
  remote_control: {
    contain:
      'Take the device offline, end the session, and use no account on it until it has been looked at.',
    ask: 'Did somebody see or operate the screen, who asked for it, and which accounts were open?',
    hunt: 'Look for the tool on all managed devices, and block it where nobody needs it.',
    cause:
      'Remove the remote control tool and whatever starts it again; change the passwords used meanwhile.',
  },
  deepfake: {
    contain:
      'Treat the voice or video as unproven: stop what was asked for until the real person confirms it on a channel you knew before.',
    ask: 'What did the voice or video ask for, was any of it done, and through which account did it come?',
    hunt: 'Warn the person who was imitated and those who work with them; keep the recording as evidence.',
    cause: null,
  },
};
