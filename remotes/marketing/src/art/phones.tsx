import { Drawing } from '@app/brand-ui/device/drawing';
import choose from './phone-choose.svg?raw';
import id from './phone-id.svg?raw';
import key from './phone-key.svg?raw';
import open from './phone-open.svg?raw';
import tap from './phone-tap.svg?raw';

const PHONES = { open, tap, choose, key, id } as const;

export type PhoneName = keyof typeof PHONES;

export function Phone({ of }: { of: PhoneName }) {
  return (
    <svg viewBox="0 0 100 124" aria-hidden="true">
      <Drawing svg={PHONES[of]} />
    </svg>
  );
}
