import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPermissionFindings } from './permission-findings.ts';

const DANGEROUS = [
  'BIND_ACCESSIBILITY_SERVICE',
  'BIND_DEVICE_ADMIN',
  'BIND_NOTIFICATION_LISTENER_SERVICE',
  'SYSTEM_ALERT_WINDOW',
  'READ_SMS',
  'RECEIVE_SMS',
  'SEND_SMS',
  'READ_CALL_LOG',
  'REQUEST_INSTALL_PACKAGES',
  'ACCESS_BACKGROUND_LOCATION',
  'RECORD_AUDIO',
  'RECEIVE_BOOT_COMPLETED',
];

describe('the permissions of an app', () => {
  it('never exceed 0.6 and never block', () => {
    fc.assert(
      fc.property(fc.subarray(DANGEROUS), (permissions) => {
        const findings = toPermissionFindings(permissions);
        expect(findings.length).toBeLessThanOrEqual(1);
        for (const { confidence, minimumVerdict } of findings) {
          expect(confidence).toBeLessThanOrEqual(0.6);
          expect(minimumVerdict).toBe(confidence >= 0.5 ? 'warn' : undefined);
        }
      }),
    );
    expect(toPermissionFindings(DANGEROUS)[0]?.confidence).toBe(0.6);
  });

  it('never lose confidence when one more is requested', () => {
    fc.assert(
      fc.property(fc.subarray(DANGEROUS), fc.constantFrom(...DANGEROUS), (permissions, more) => {
        const confidence = (held: readonly string[]) => toPermissionFindings(held)[0]?.confidence ?? 0;
        expect(confidence([...permissions, more])).toBeGreaterThanOrEqual(confidence(permissions) - 1e-9);
      }),
    );
  });

  it.each([
    [
      'a camera',
      ['android.permission.CAMERA', 'android.permission.INTERNET', 'android.permission.RECORD_AUDIO'],
    ],
    ['a map', ['android.permission.ACCESS_FINE_LOCATION', 'android.permission.ACCESS_BACKGROUND_LOCATION']],
    [
      'a messenger',
      [
        'android.permission.READ_CONTACTS',
        'android.permission.RECORD_AUDIO',
        'android.permission.CAMERA',
        'android.permission.RECEIVE_BOOT_COMPLETED',
      ],
    ],
  ])('are not a finding for %s', (_, permissions) => {
    expect(toPermissionFindings(permissions)).toEqual([]);
  });

  it('reveal a trojan that reads the screen, covers bank apps and reads codes', () => {
    const [finding] = toPermissionFindings([
      'android.permission.BIND_ACCESSIBILITY_SERVICE',
      'android.permission.SYSTEM_ALERT_WINDOW',
      'android.permission.RECEIVE_SMS',
    ]);
    expect(finding?.confidence).toBeGreaterThan(0.5);
    expect(finding?.evidence).toContain('read the screen and draw over other apps');
  });
});
