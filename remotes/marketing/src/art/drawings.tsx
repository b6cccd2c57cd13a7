import type { AppName } from '@app/brand-ui/app-name';
import { CloseUp } from '@app/brand-ui/device/close-up';
import { Drawing } from '@app/brand-ui/device/drawing';
import neoKey from '@app/brand-ui/device/neo-key.svg?raw';
import neoRun from '@app/brand-ui/device/neo-run.svg?raw';
import neoStill from '@app/brand-ui/device/neo-still.svg?raw';
import neoTwice from '@app/brand-ui/device/neo-twice.svg?raw';
import redeemStill from '@app/brand-ui/device/redeem-still.svg?raw';
import shortStill from '@app/brand-ui/device/short-still.svg?raw';
import v3Icon from '@app/brand-ui/device/v3-icon.svg?raw';
import v3Keys from '@app/brand-ui/device/v3-keys.svg?raw';
import v3Lines from '@app/brand-ui/device/v3-lines.svg?raw';
import v3Still from '@app/brand-ui/device/v3-still.svg?raw';
import v5Answer from '@app/brand-ui/device/v5-answer.svg?raw';
import v5Fix from '@app/brand-ui/device/v5-fix.svg?raw';
import v5Running from '@app/brand-ui/device/v5-running.svg?raw';
import v5Still from '@app/brand-ui/device/v5-still.svg?raw';
import v5Typing from '@app/brand-ui/device/v5-typing.svg?raw';
import { Icon } from '@app/design-system/icon';
import { useState } from 'react';
import { t } from '../words.ts';
import css from './drawings.module.css';
import hoodie from './hoodie.svg?raw';

interface View {
  app: AppName;
  svg: string;
  /** The point in the middle, where it is not that of a box of 196 × 94. */
  at?: readonly [x: number, y: number];
  /** It moves, again and again, and has a button that stops it. */
  isLoop?: true;
}

const VIEWS = {
  v5Typing: { app: 'v5', svg: v5Typing, isLoop: true },
  v5Answer: { app: 'v5', svg: v5Answer },
  v5Running: { app: 'v5', svg: v5Running },
  v5Fix: { app: 'v5', svg: v5Fix, isLoop: true },
  neoKey: { app: 'neo', svg: neoKey },
  neoRun: { app: 'neo', svg: neoRun },
  neoTwice: { app: 'neo', svg: neoTwice },
  v3Keys: { app: 'v3', svg: v3Keys, at: [0, 0] },
  v3Icon: { app: 'v3', svg: v3Icon, at: [0, 0] },
  v3Lines: { app: 'v3', svg: v3Lines, at: [0, 0] },
} as const satisfies Record<string, View>;

export type ViewName = keyof typeof VIEWS;

export function AppCloseUp({ of }: { of: ViewName }) {
  const { isLoop, ...view }: View = VIEWS[of];
  const [isPaused, setIsPaused] = useState(false);

  return (
    <div className={css.closeUp} data-paused={isPaused}>
      <CloseUp at={[98, 47]} {...view} />
      {isLoop && (
        <button
          type="button"
          className={css.pause}
          aria-label={t(isPaused ? 'art.play' : 'art.pause')}
          onClick={() => setIsPaused(!isPaused)}
        >
          <Icon name={isPaused ? 'play' : 'pause'} size={14} />
        </button>
      )}
    </div>
  );
}

const STILLS = { v5: v5Still, neo: neoStill, v3: v3Still, short: shortStill, redeem: redeemStill } as const;

export function Still({ of }: { of: keyof typeof STILLS }) {
  return <Drawing svg={STILLS[of]} />;
}

export function Hoodie({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 220 200" aria-hidden="true">
      <Drawing svg={hoodie} />
    </svg>
  );
}
