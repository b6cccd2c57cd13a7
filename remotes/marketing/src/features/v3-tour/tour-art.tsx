import { CloseUp } from '@app/brand-ui/device/close-up';
import { V3Icon, V3Keys, V3Lines } from '@app/brand-ui/device/v3-parts';

/** A close look at each part of V3. */
export function TourArt({ of }: { of: keyof typeof VIEWS }) {
  const View = VIEWS[of];

  return (
    <CloseUp app="v3" at={[0, 0]}>
      <View />
    </CloseUp>
  );
}

const VIEWS = { keyboard: V3Keys, icon: V3Icon, editor: V3Lines } as const;
