import { CloseUp } from '@app/brand-ui/device/close-up';
import { V3Checksum, V3Icon, V3Key, V3Plans, V3Runner, V3Window } from '@app/brand-ui/device/v3-parts';
import { V3Keyboard, V3Screen } from '@app/brand-ui/device/v3-screen';

/** A close look at each part of V3. */
export function TourArt({ of }: { of: keyof typeof VIEWS }) {
  const { at, View } = VIEWS[of];

  return (
    <CloseUp app="v3" at={at}>
      <View />
    </CloseUp>
  );
}

const VIEWS = {
  ui: { at: [0, 0], View: V3Window },
  icon: { at: [0, 0], View: V3Icon },
  performance: { at: [0, 4], View: V3Runner },
  keyboard: { at: [386, 66], View: V3Keyboard },
  editor: { at: [75, 60], View: V3Screen },
  key: { at: [0, 0], View: V3Key },
  plans: { at: [0, 0], View: V3Plans },
  security: { at: [0, 0], View: V3Checksum },
} as const;
