import { CloseUp } from '@app/brand-ui/device/close-up';
import { V5Answer, V5Fix, V5Running, V5Typing } from '@app/brand-ui/device/v5-parts';

/** A close look at V5 for each reason: its editor, the assistant's answer, a script that runs, a bug that it mends. */
export function WhyArt({ of }: { of: keyof typeof VIEWS }) {
  const { View, ...hour } = VIEWS[of];

  return (
    <CloseUp app="v5" at={[98, 47]} {...hour}>
      <View />
    </CloseUp>
  );
}

const VIEWS = {
  ui: { View: V5Typing },
  ai: { View: V5Answer, hour: 1 },
  speed: { View: V5Running, hour: 2 },
  new: { View: V5Fix, hour: 3 },
} as const;
