import { Icon, type IconName } from '@app/design-system/icon';

const ICONS = {
  android: 'android',
  android_vng: 'android',
  ios: 'apple',
  windows: 'windows',
} as const satisfies Record<string, IconName>;

/** The mark of an operating system. Decoration: words say it as well. */
export function SystemIcon({ system, size }: { system: keyof typeof ICONS; size?: number }) {
  return <Icon name={ICONS[system]} {...(size !== undefined && { size })} />;
}
