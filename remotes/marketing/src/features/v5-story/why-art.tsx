import { CloseUp } from '@app/brand-ui/device/close-up';
import { V5Answer, V5Fix, V5Running, V5Typing } from '@app/brand-ui/device/v5-parts';

/** A close look at V5 for each reason: its editor, the assistant's answer, a script that runs, a bug that it mends. */
export function WhyArt({ of }: { of: keyof typeof VIEWS }) {
  const View = VIEWS[of];

  return (
    <CloseUp app="v5" at={[98, 47]}>
      <View />
    </CloseUp>
  );
}

const VIEWS = { ui: V5Typing, ai: V5Answer, speed: V5Running, new: V5Fix } as const;
