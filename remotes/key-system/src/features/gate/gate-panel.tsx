import { ADVERTISER_NAMES, type AdvertiserId } from '@app/contracts/advertisers';
import { FactList } from '@app/design-system/fact-list';
import { GlowFrame } from '@app/design-system/glow-frame';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { t as tell } from './words.ts';
import { NoScript } from '../../no-script.tsx';
import { countGateSteps } from './gate.ts';
import css from './gate-panel.module.css';

interface GatePanelProps {
  advertiser: AdvertiserId;
  /** The icon of the visitor's operating system. */
  system: ReactNode;
  /** The captcha, and what follows it. */
  children: ReactNode;
}

/** The panel of the gate: facts, and the captcha that opens it, in a frame whose light changes every second. */
export function GatePanel({ advertiser, system, children }: GatePanelProps) {
  return (
    <GlowFrame>
      <section className={css.panel} aria-label={tell('gate.panel')}>
        <FactList
          facts={[
            { label: tell('gate.advertiser'), value: ADVERTISER_NAMES[advertiser] },
            { label: tell('gate.ahead'), value: tell('gate.steps', { count: countGateSteps(advertiser) }) },
            { label: t('device.system'), value: system },
          ]}
        />
        {children}
        <NoScript />
      </section>
    </GlowFrame>
  );
}
