import { CloseUp } from '@app/brand-ui/device/close-up';
import { V3Checksum, V3Icon, V3Key, V3Keys, V3Lines, V3Plans, V3Runner, V3Window } from '@app/brand-ui/device/v3-parts';

/** A close look at each part of V3. */
export function TourArt({ of }: { of: keyof typeof VIEWS }) {
  const View = VIEWS[of];

  return (
    <CloseUp app="v3" at={[0, 0]}>
      <View />
    </CloseUp>
  );
}

const VIEWS = {
  ui: V3Window,
  icon: V3Icon,
  performance: V3Runner,
  keyboard: V3Keys,
  editor: V3Lines,
  key: V3Key,
  plans: V3Plans,
  security: V3Checksum,
} as const;
