import { AppMark } from '@app/brand-ui/app-mark';
import { APP_NAMES, type AppName } from '@app/brand-ui/app-name';
import { DeviceFrame } from '@app/brand-ui/device-frame';
import companion from '@app/brand-ui/device/companion-screen.svg?raw';
import neo from '@app/brand-ui/device/neo-screen.svg?raw';
import v3 from '@app/brand-ui/device/v3-screen.svg?raw';
import v5 from '@app/brand-ui/device/v5-screen.svg?raw';
import { Badge } from '@app/design-system/badge';
import { Button, buttonClass, ButtonRow } from '@app/design-system/button';
import { Card } from '@app/design-system/card';
import { CountUp } from '@app/design-system/count-up';
import { Icon, type IconName } from '@app/design-system/icon';
import { Notice } from '@app/design-system/notice';
import { Orbs } from '@app/design-system/orbs';
import { Page } from '@app/design-system/page';
import { ScrambleText } from '@app/design-system/scramble-text';
import { Section } from '@app/design-system/section';
import { Stat, StatRow } from '@app/design-system/stat';
import { StickyAction } from '@app/design-system/sticky-action';
import { useState } from 'react';
import { DesignCompositions } from './design-compositions.tsx';
import css from './design-page.module.css';

const SCREENS: Record<AppName, string> = { v5, neo, v3, companion };

const ICONS: readonly IconName[] = [
  ...(['android', 'apple', 'windows', 'check', 'cross', 'play', 'pause', 'copy', 'chevron', 'star'] as const),
  ...(['shield', 'bolt', 'spark', 'gift', 'download', 'external', 'warning'] as const),
];

const SWATCHES = ['bg', 'surface', 'surface2', 'surface3', 'accent', 'tint', 'ok', 'warn', 'danger'] as const;

const PHRASES = [
  'Writes your script',
  'Explains what it does',
  'Finds the fault',
  'Knows your game',
  'Answers in seconds',
  'Learns how you play',
];

/** Shows every component of the design system in every state, for developers. */
export function DesignPage() {
  const [app, setApp] = useState<AppName>('v5');

  return (
    <Page
      eyebrow="Quality"
      heading="Design system"
      lead="Every part in every state. Add index, rosaverx or evergreen to the query to see the other colours."
    >
      <Section id="hero" heading="Devices and marks">
        <div className={css.hero}>
          <div className={css.words}>
            <ScrambleText phrases={PHRASES} />
            <StatRow>
              <Stat label="Community">
                <CountUp value={500} durationMs={1200} suffix="k+" />
              </Stat>
              <Stat label="Rating">
                <CountUp value={4.8} durationMs={900} decimals={1} suffix="/5" />
              </Stat>
              <Stat label="Uptime">
                <CountUp value={99.9} durationMs={1200} decimals={1} suffix="%" />
              </Stat>
            </StatRow>
          </div>
          <DeviceFrame variant={app} label={`The ${app} app on a phone`} hero screen={SCREENS[app]} />
          <Orbs />
        </div>
        <div className={css.grid}>
          {APP_NAMES.map((variant) => (
            <Card key={variant}>
              <div className={css.row}>
                <AppMark app={variant} size={64} />
                <AppMark app={variant} />
                <AppMark app={variant} size={32} label={variant} />
                <AppMark app={variant} size={20} />
              </div>
              <DeviceFrame variant={variant} label={`The ${variant} app on a phone`} screen={SCREENS[variant]} />
            </Card>
          ))}
        </div>
      </Section>

      <Section
        id="type"
        heading="Type and colour"
        eyebrow="Eyebrow"
        lead="A lead says in one or two lines what follows."
      >
        <Card>
          <h2 className={css.first}>First-level heading</h2>
          <h2>Second-level heading</h2>
          <h3>Third-level heading</h3>
          <p>Text as one reads it, 0,99 € and 4.8/5.</p>
          <p className={css.quiet}>Quiet text, for what is less important.</p>
        </Card>
        <ul className={css.swatches}>
          {SWATCHES.map((name) => (
            <li key={name} className={css.swatch}>
              <span className={`${css.colour} ${css[name]}`} />
              {name}
            </li>
          ))}
        </ul>
      </Section>

      <Section id="small" heading="Buttons, badges, icons">
        <ButtonRow>
          <Button>Primary</Button>
          <Button kind="quiet">Quiet</Button>
          <Button disabled>Sending...</Button>
          <Button kind="quiet" disabled>
            Not now
          </Button>
          <a className={buttonClass()} href="#small">
            <Icon name="download" /> Download
          </a>
        </ButtonRow>
        <div className={css.row}>
          <Badge kind="hot">MOST POPULAR</Badge>
          <Badge kind="free">FREE</Badge>
          <Badge kind="disc">DISCONTINUED</Badge>
          <Badge kind="latest">Official Store</Badge>
          <Badge kind="ok">Online</Badge>
          <Badge kind="warn">Updating</Badge>
        </div>
        <ul className={css.icons}>
          {ICONS.map((name) => (
            <li key={name}>
              <Icon name={name} size={24} />
              {name}
            </li>
          ))}
        </ul>
        <Notice title="A notice">Says what is, and what to do next.</Notice>
        <Notice kind="warning" title="A warning">
          Something deserves care.
        </Notice>
      </Section>

      <DesignCompositions app={app} onChange={setApp} />
      <StickyAction>
        <Button>Download</Button>
        <Button kind="quiet">Get key</Button>
      </StickyAction>
    </Page>
  );
}
