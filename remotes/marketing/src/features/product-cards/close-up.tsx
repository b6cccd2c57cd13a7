import { CloseUp } from '@app/brand-ui/device/close-up';
import { NeoSaved } from '@app/brand-ui/device/neo-saved';
import { V3Keyboard } from '@app/brand-ui/device/v3-screen';
import { V5Explained } from '@app/brand-ui/device/v5-parts';

/** A close look at the part of an app's screen that the others do not have. */
export function AppCloseUp({ app }: { app: keyof typeof VIEWS }) {
  const { at, View } = VIEWS[app];

  return (
    <CloseUp key={app} app={app} at={at}>
      <View />
    </CloseUp>
  );
}

const VIEWS = {
  v5: { at: [19, 47], View: V5Explained },
  neo: { at: [404, 80], View: NeoSaved },
  v3: { at: [226, 63], View: V3Keyboard },
} as const;
