import { ADVERTISER_NAMES, listAdvertisers, type AdvertiserId } from '@app/contracts/advertisers';
import type { OperatingSystem } from '@app/contracts/key-system';
import { FactList } from '@app/design-system/fact-list';
import { GlowFrame } from '@app/design-system/glow-frame';
import { withQuery } from '@app/platform';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { t as tell } from './words.ts';
import { NoScript } from '../../no-script.tsx';
import css from './gate-panel.module.css';

/** How many steps the gate announces for the first advertiser of step 1; one more for each one after it. */
const USUAL_STEPS = 2;

interface GatePanelProps {
  advertiser: AdvertiserId;
  system: ReactNode;
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
            {
              label: tell('gate.ahead'),
              value: tell('gate.steps', { count: USUAL_STEPS + listAdvertisers('main', 1).indexOf(advertiser) }),
            },
            { label: t('device.system'), value: system },
          ]}
        />
        {children}
        <NoScript />
      </section>
    </GlowFrame>
  );
}

interface GateTarget {
  hwid: string;
  zone: string | undefined;
  advertiser: AdvertiserId;
  os: OperatingSystem;
}

/**
 * The address to which the gate leads after the captcha. It contains the zone, but with `run=stay`: an open run keeps
 * its present zone. The gate needs no click, so otherwise another site could send visitors here to move their runs to
 * its own zone.
 */
export function gateTarget({ hwid, zone, advertiser, os }: GateTarget): string {
  return withQuery('/api/keysystemv2', { hwid, advertiser, os, zone, run: zone && 'stay' });
}
