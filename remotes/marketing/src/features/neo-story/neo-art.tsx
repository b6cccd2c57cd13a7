import { CloseUp } from '@app/brand-ui/device/close-up';
import { NeoKey, NeoRun, NeoTwice } from '@app/brand-ui/device/neo-parts';

const VIEWS = { free: NeoKey, light: NeoRun, both: NeoTwice } as const;

/** A close look at NEO for each reason: its key, its editor, two phones with it. */
export function NeoArt({ of }: { of: keyof typeof VIEWS }) {
  const View = VIEWS[of];

  return (
    <CloseUp app="neo" at={[98, 47]}>
      <View />
    </CloseUp>
  );
}
