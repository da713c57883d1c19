import type { Finding } from '../finding.ts';
import { THREAT_TYPES } from '../threat-type.ts';
import { combineConfidence } from './confidence.ts';

/** Benign apps ask for permissions too, so no number of permissions exceeds this. */
const CEILING = 0.6;
/** A lower confidence is not a finding. */
const FLOOR = 0.15;
/** From here on a person should look: 17 of 131 harmful and 5 of 531 benign apps of TUANDROMD reach it. */
const WARN_FROM = 0.5;
const MAX_NAMED = 3;

interface PermissionRisk {
  readonly weight: number;
  /** The app needs one permission of each list. */
  readonly all: readonly (readonly string[])[];
  /** Completes "permissions that allow an app to …". */
  readonly words: string;
}

const ACCESSIBILITY = ['BIND_ACCESSIBILITY_SERVICE'];
const ADMIN = ['BIND_DEVICE_ADMIN'];
const NOTIFICATIONS = ['BIND_NOTIFICATION_LISTENER_SERVICE'];
const OVERLAY = ['SYSTEM_ALERT_WINDOW'];
const READ_MESSAGES = ['RECEIVE_SMS', 'READ_SMS', 'RECEIVE_MMS', 'RECEIVE_WAP_PUSH'];
const SEND_MESSAGES = ['SEND_SMS'];
const CALLS = ['READ_CALL_LOG', 'WRITE_CALL_LOG', 'PROCESS_OUTGOING_CALLS'];
const MICROPHONE = ['RECORD_AUDIO'];
const BACKGROUND_LOCATION = ['ACCESS_BACKGROUND_LOCATION'];
const ANY_LOCATION = [...BACKGROUND_LOCATION, 'ACCESS_FINE_LOCATION'];
const INSTALL = ['REQUEST_INSTALL_PACKAGES', 'INSTALL_PACKAGES'];

/**
 * What an app could do with its permissions and bound services, alone and in combination. The combinations
 * are those that banking trojans (accessibility with overlay, messages or installation) and stalkerware
 * (messages or calls with microphone and location) need and few other apps ask for.
 *
 * The weights are set by hand. On the 662 distinct rows of TUANDROMD (131 malware, 531 benign; permissions of
 * about 2010 to 2017, when trojans sent premium messages) they rank malware above benign apps with an AUC of
 * 0.74; 17 malware and 5 benign apps reach 0.5. The data set is old and small.
 */
const PERMISSION_RISKS: readonly PermissionRisk[] = [
  { weight: 0.25, all: [ACCESSIBILITY, OVERLAY], words: 'read the screen and draw over other apps' },
  { weight: 0.25, all: [ACCESSIBILITY, READ_MESSAGES], words: 'read the screen and messages' },
  { weight: 0.2, all: [ACCESSIBILITY, INSTALL], words: 'press buttons and install apps' },
  { weight: 0.2, all: [ACCESSIBILITY, ADMIN], words: 'press buttons and prevent its removal' },
  { weight: 0.15, all: [NOTIFICATIONS, READ_MESSAGES], words: 'read notifications and messages' },
  { weight: 0.15, all: [READ_MESSAGES, SEND_MESSAGES], words: 'read and forward messages' },
  {
    weight: 0.15,
    all: [READ_MESSAGES, MICROPHONE, ANY_LOCATION],
    words: 'read messages, record audio and track the location',
  },
  {
    weight: 0.1,
    all: [CALLS, MICROPHONE, ANY_LOCATION],
    words: 'read the call log, record audio and track the location',
  },
  { weight: 0.15, all: [OVERLAY, READ_MESSAGES], words: 'draw over other apps and read messages' },
  { weight: 0.2, all: [ACCESSIBILITY], words: 'read the screen and press buttons' },
  { weight: 0.2, all: [ADMIN], words: 'prevent its removal' },
  { weight: 0.12, all: [NOTIFICATIONS], words: 'read notifications' },
  { weight: 0.1, all: [READ_MESSAGES], words: 'read messages' },
  { weight: 0.08, all: [SEND_MESSAGES], words: 'send messages' },
  { weight: 0.1, all: [['WRITE_SMS', 'BROADCAST_SMS', 'BROADCAST_WAP_PUSH']], words: 'forge messages' },
  { weight: 0.05, all: [OVERLAY], words: 'draw over other apps' },
  { weight: 0.06, all: [INSTALL], words: 'install apps' },
  { weight: 0.06, all: [CALLS], words: 'read the call log' },
  { weight: 0.06, all: [BACKGROUND_LOCATION], words: 'track the location' },
  { weight: 0.04, all: [MICROPHONE], words: 'record audio' },
  {
    weight: 0.06,
    all: [['KILL_BACKGROUND_PROCESSES', 'DISABLE_KEYGUARD']],
    words: 'stop other apps or disable the lock screen',
  },
  { weight: 0.05, all: [['GET_TASKS', 'PACKAGE_USAGE_STATS']], words: 'see which apps are used' },
  { weight: 0.03, all: [['RECEIVE_BOOT_COMPLETED']], words: 'start at boot' },
];

/**
 * Returns what an app could do with its permissions: at most one finding, of at most 0.6, since permissions
 * alone prove nothing. Accepts names with and without `android.permission.`. The permission of a service that
 * the system binds, such as BIND_ACCESSIBILITY_SERVICE, counts as one of the app's.
 */
export function toPermissionFindings(permissions: readonly string[]): Finding[] {
  const held = new Set(permissions.map((permission) => permission.slice(permission.lastIndexOf('.') + 1)));
  const risks = PERMISSION_RISKS.filter(({ all }) =>
    all.every((some) => some.some((name) => held.has(name))),
  );
  const confidence = Math.min(
    CEILING,
    combineConfidence(risks.map(({ weight }) => ({ confidence: weight }))),
  );
  if (confidence < FLOOR) return [];
  const named = risks.slice(0, MAX_NAMED).map(({ words }) => words);
  return [
    {
      detector: 'app_permissions',
      threatType: 'suspicious_app',
      category: THREAT_TYPES.suspicious_app.category,
      confidence,
      ...(confidence >= WARN_FROM ? { minimumVerdict: 'warn' as const } : {}),
      evidence: `permissions that allow an app to ${named.join('; ')}`,
    },
  ];
}
