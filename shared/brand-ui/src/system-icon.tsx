import { Icon, type IconName } from '@app/design-system/icon';

const ICONS = {
  android: 'android',
  android_vng: 'android',
  ios: 'apple',
  windows: 'windows',
} as const satisfies Record<string, IconName>;

/** The icon of an operating system. Screen readers skip it, so write the system's name beside it. */
export function SystemIcon({ system, size }: { system: keyof typeof ICONS; size?: number }) {
  return <Icon name={ICONS[system]} {...(size !== undefined && { size })} />;
}
