import { CloseUp } from '@app/brand-ui/device/close-up';
import { V5Answer, V5Ask, V5Running } from '@app/brand-ui/device/v5-parts';
import { V5Editor } from '@app/brand-ui/device/v5-screen';

/** A close look at V5 for each reason: its window, the assistant's answer, scripts that run, what one can ask. */
export function WhyArt({ of }: { of: keyof typeof VIEWS }) {
  const { at, View } = VIEWS[of];

  return (
    <CloseUp app="v5" at={at}>
      <View />
    </CloseUp>
  );
}

const VIEWS = {
  ui: { at: [203, 178], View: V5Editor },
  ai: { at: [98, 47], View: V5Answer },
  speed: { at: [98, 50], View: V5Running },
  new: { at: [98, 47], View: V5Ask },
} as const;
