import type { Device } from '@tps/client';

const NAMES: Readonly<Record<Device['platform'], string>> = {
  ios: 'iOS',
  android: 'Android',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
};

/** Returns the name of an operating system as its maker writes it. */
export function platformName(platform: Device['platform']): string {
  return NAMES[platform];
}
