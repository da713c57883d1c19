import type { ScanExample } from './scan-example.ts';

function app(
  name: string,
  members: NonNullable<ScanExample['scan']['app']>,
  expected: ScanExample['expected'],
): ScanExample {
  return { name, scan: { type: 'app', app: members }, expected };
}

const permission = (name: string) => `android.permission.${name}`;

/** What the tests import before: names that are public for what they are. */
export const APP_INDICATORS = [
  {
    type: 'package',
    value: 'com.lsdroid.cerberus',
    category: 'malicious_app',
    threat_type: 'stalkerware',
    confidence: 0.95,
    label: 'Cerberus',
  },
  {
    type: 'package',
    value: 'com.anydesk.anydeskandroid',
    category: 'remote_control',
    threat_type: 'remote_access_tool',
    confidence: 0.9,
    label: 'AnyDesk',
    dual_use: true,
  },
  {
    type: 'domain',
    value: 'anydesk.com',
    category: 'remote_control',
    threat_type: 'remote_access_tool',
    confidence: 0.9,
    label: 'AnyDesk',
    dual_use: true,
  },
] as const;

export const APPS: readonly ScanExample[] = [
  app(
    'an app that is listed as stalkerware',
    { package_name: 'com.lsdroid.cerberus' },
    {
      caught: true,
      verdict: 'block',
      types: ['stalkerware'],
      categories: ['malicious_app'],
    },
  ),
  app(
    'a tool for remote support, which has honest uses',
    { package_name: 'com.anydesk.anydeskandroid' },
    {
      caught: true,
      verdict: 'warn',
      types: ['remote_access_tool'],
      categories: ['remote_control'],
    },
  ),
  app(
    'a flash player with the means of a banking trojan (reports on Cerberus and Anubis)',
    {
      package_name: 'com.flash.update.player',
      permissions: [
        'BIND_ACCESSIBILITY_SERVICE',
        'SYSTEM_ALERT_WINDOW',
        'RECEIVE_SMS',
        'READ_SMS',
        'SEND_SMS',
        'REQUEST_INSTALL_PACKAGES',
        'BIND_DEVICE_ADMIN',
        'READ_CONTACTS',
        'RECEIVE_BOOT_COMPLETED',
      ].map(permission),
    },
    { caught: true, verdict: 'warn', types: ['suspicious_app'], categories: ['malicious_app'] },
  ),
  app(
    'a torch with nothing but the camera',
    { package_name: 'org.example.torch', permissions: [permission('CAMERA'), permission('FLASHLIGHT')] },
    { caught: false },
  ),
  app(
    'an app of which nothing but an unknown name is told',
    { package_name: 'org.example.unknown' },
    { caught: 'unsupported' },
  ),
];

/** A link and a message to the tool that callers let people install. */
export const REMOTE_CONTROL: readonly ScanExample[] = [
  {
    name: 'a caller sends the link to a remote-support tool (FTC)',
    scan: {
      type: 'text',
      content: 'Please download the tool from https://anydesk.com/download so that I can help you',
      context: { channel: 'chat' },
    },
    expected: { caught: true, categories: ['remote_control'] },
  },
];
