import type { Finding } from '../finding.ts';
import { THREAT_TYPES } from '../threat-type.ts';
import { combineConfidence } from './confidence.ts';

/** Permissions are asked for by honest apps too, so however many there are they never say more than this. */
const CEILING = 0.6;
/** Less says nothing. */
const FLOOR = 0.15;
/** From here on a person should look: 17 of 131 harmful and 5 of 531 harmless apps of TUANDROMD. */
const WARN_FROM = 0.5;
const MAX_NAMED = 3;

interface Means {
  readonly weight: number;
  /** Each of which must be met by one of its permissions. */
  readonly all: readonly (readonly string[])[];
  /** Completes "it may …". */
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
const PLACE = ['ACCESS_BACKGROUND_LOCATION'];
const ANY_PLACE = [...PLACE, 'ACCESS_FINE_LOCATION'];
const INSTALL = ['REQUEST_INSTALL_PACKAGES', 'INSTALL_PACKAGES'];

/**
 * What an app could do with its permissions and bound services, alone and together. The pairs are those that banking
 * trojans (accessibility with overlay, messages or installing) and stalkerware (messages or calls with microphone and
 * place) need and few others ask for.
 *
 * The weights are set by hand. On the 662 distinct rows of TUANDROMD (131 malware, 531 harmless; permissions of about
 * 2010 to 2017, when trojans sent paid messages) they order malware above the harmless with an AUC of 0.74; at 0.5 and
 * above stand 17 of the malware and 5 of the harmless. That is old, small and no promise.
 */
const MEANS: readonly Means[] = [
  { weight: 0.25, all: [ACCESSIBILITY, OVERLAY], words: 'read the screen and draw over other apps' },
  { weight: 0.25, all: [ACCESSIBILITY, READ_MESSAGES], words: 'read the screen and messages' },
  { weight: 0.2, all: [ACCESSIBILITY, INSTALL], words: 'press buttons and install apps' },
  { weight: 0.2, all: [ACCESSIBILITY, ADMIN], words: 'press buttons and resist its removal' },
  { weight: 0.15, all: [NOTIFICATIONS, READ_MESSAGES], words: 'read notifications and messages' },
  { weight: 0.15, all: [READ_MESSAGES, SEND_MESSAGES], words: 'read messages and send them on' },
  { weight: 0.15, all: [READ_MESSAGES, MICROPHONE, ANY_PLACE], words: 'read messages, listen and follow' },
  { weight: 0.1, all: [CALLS, MICROPHONE, ANY_PLACE], words: 'see calls, listen and follow' },
  { weight: 0.15, all: [OVERLAY, READ_MESSAGES], words: 'draw over other apps and read messages' },
  { weight: 0.2, all: [ACCESSIBILITY], words: 'read the screen and press buttons' },
  { weight: 0.2, all: [ADMIN], words: 'resist its removal' },
  { weight: 0.12, all: [NOTIFICATIONS], words: 'read notifications' },
  { weight: 0.1, all: [READ_MESSAGES], words: 'read messages' },
  { weight: 0.08, all: [SEND_MESSAGES], words: 'send messages' },
  { weight: 0.1, all: [['WRITE_SMS', 'BROADCAST_SMS', 'BROADCAST_WAP_PUSH']], words: 'forge messages' },
  { weight: 0.05, all: [OVERLAY], words: 'draw over other apps' },
  { weight: 0.06, all: [INSTALL], words: 'install apps' },
  { weight: 0.06, all: [CALLS], words: 'see calls' },
  { weight: 0.06, all: [PLACE], words: 'follow where the person goes' },
  { weight: 0.04, all: [MICROPHONE], words: 'listen' },
  {
    weight: 0.06,
    all: [['KILL_BACKGROUND_PROCESSES', 'DISABLE_KEYGUARD']],
    words: 'stop other apps or the lock',
  },
  { weight: 0.05, all: [['GET_TASKS', 'PACKAGE_USAGE_STATS']], words: 'see which app is used' },
  { weight: 0.03, all: [['RECEIVE_BOOT_COMPLETED']], words: 'start with the device' },
];

/**
 * Says what an app could do with its permissions. Names are taken with or without `android.permission.`; the permission
 * of a service that the system binds, such as BIND_ACCESSIBILITY_SERVICE, counts as one of the app's.
 * At most one finding, of at most 0.6: permissions alone never make certain.
 */
export function toPermissionFindings(permissions: readonly string[]): Finding[] {
  const held = new Set(permissions.map((permission) => permission.slice(permission.lastIndexOf('.') + 1)));
  const means = MEANS.filter(({ all }) => all.every((some) => some.some((name) => held.has(name))));
  const confidence = Math.min(
    CEILING,
    combineConfidence(means.map(({ weight }) => ({ confidence: weight }))),
  );
  if (confidence < FLOOR) return [];
  const named = means.slice(0, MAX_NAMED).map(({ words }) => words);
  return [
    {
      detector: 'app_permissions',
      threatType: 'suspicious_app',
      category: THREAT_TYPES.suspicious_app.category,
      confidence,
      ...(confidence >= WARN_FROM ? { minimumVerdict: 'warn' as const } : {}),
      evidence: `permissions with which an app may ${named.join('; ')}`,
    },
  ];
}
