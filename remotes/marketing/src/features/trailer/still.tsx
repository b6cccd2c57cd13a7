import { NeoStill, RedeemStill, ShortStill, V3Still, V5Still } from '@app/brand-ui/device/stills';

const STILLS = { v5: V5Still, neo: NeoStill, v3: V3Still, short: ShortStill, redeem: RedeemStill } as const;

export function Still({ of }: { of: keyof typeof STILLS }) {
  const Shown = STILLS[of];
  return <Shown />;
}
