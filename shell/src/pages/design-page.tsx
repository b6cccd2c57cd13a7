import { AppInfo } from '@app/design-system/app-info';
import { AppMark, type AppName } from '@app/design-system/app-mark';
import { Badge } from '@app/design-system/badge';
import { Button, buttonClass, ButtonRow } from '@app/design-system/button';
import { Card } from '@app/design-system/card';
import { Carousel } from '@app/design-system/carousel';
import { ChoiceCards } from '@app/design-system/choice-cards';
import { Comparison } from '@app/design-system/comparison';
import { CopyField } from '@app/design-system/copy-field';
import { Countdown } from '@app/design-system/countdown';
import { CountUp } from '@app/design-system/count-up';
import { CompanionScreen } from '@app/design-system/device/companion-screen';
import { NeoScreen } from '@app/design-system/device/neo-screen';
import { V3Screen } from '@app/design-system/device/v3-screen';
import { V5Screen } from '@app/design-system/device/v5-screen';
import { DeviceFrame } from '@app/design-system/device-frame';
import { DisclosureList } from '@app/design-system/disclosure';
import { FeatureGrid } from '@app/design-system/feature-grid';
import { GlowFrame } from '@app/design-system/glow-frame';
import { Icon, type IconName } from '@app/design-system/icon';
import { Notice } from '@app/design-system/notice';
import { Orbs } from '@app/design-system/orbs';
import { Page } from '@app/design-system/page';
import { ScrambleText } from '@app/design-system/scramble-text';
import { Section } from '@app/design-system/section';
import { Stat, StatRow } from '@app/design-system/stat';
import { Steps } from '@app/design-system/steps';
import { StickyAction } from '@app/design-system/sticky-action';
import { Tabs } from '@app/design-system/tabs';
import { VideoFacade } from '@app/design-system/video-facade';
import { VideoPoster } from '@app/design-system/video-poster';
import { useState, type ReactNode } from 'react';
import { DesignDialogs } from './design-dialogs.tsx';
import css from './design-page.module.css';

const APPS: readonly AppName[] = ['v5', 'neo', 'v3', 'companion'];

const SCREENS: Record<AppName, ReactNode> = {
  v5: <V5Screen />,
  neo: <NeoScreen />,
  v3: <V3Screen />,
  companion: <CompanionScreen />,
};

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

const QUESTIONS = [
  {
    id: 'open',
    title: 'How many can be open at once?',
    content: <p>One. Opening another closes this one, and a click on the open one closes it.</p>,
  },
  {
    id: 'keys',
    title: 'Does it work by keyboard?',
    content: <p>Tab leads from question to question, Enter and Space open and close.</p>,
  },
  {
    id: 'find',
    title: 'Is a closed answer found by search in the page?',
    content: <p>Yes, since it is the browser’s own element.</p>,
  },
];

/** Every part of the design system in every state, on one page for those who build with it. */
export function DesignPage() {
  const [app, setApp] = useState<AppName>('v5');
  const [endsAt] = useState(() => Date.now() + 86_400_000);

  return (
    <Page
      eyebrow="Quality"
      heading="Design system"
      lead="Every part in every state. Add index, rosaverx or evergreen to the query to see the other colours."
    >
      <Section id="hero" heading="Devices and marks">
        <div className={css.hero}>
          <Orbs />
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
          <DeviceFrame variant={app} label={`The ${app} app on a phone`} hero>
            {SCREENS[app]}
          </DeviceFrame>
        </div>
        <div className={css.grid}>
          {APPS.map((variant) => (
            <Card key={variant}>
              <div className={css.row}>
                <AppMark app={variant} size={64} />
                <AppMark app={variant} />
                <AppMark app={variant} size={32} label={variant} />
                <AppMark app={variant} size={20} />
              </div>
              <DeviceFrame variant={variant} label={`The ${variant} app on a phone`}>
                {SCREENS[variant]}
              </DeviceFrame>
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

      <Section id="choose" heading="Choose Your Experience" lead="A radio group of cards, then tabs.">
        <ChoiceCards
          label="Choose Your Experience"
          value={app}
          onChange={setApp}
          choices={APPS.map((value) => ({
            value,
            app: value,
            title: value,
            art: <AppMark app={value} />,
            badge:
              value === 'v5'
                ? { kind: 'hot', text: 'MOST POPULAR' }
                : value === 'v3'
                  ? { kind: 'disc', text: 'DISCONTINUED' }
                  : { kind: 'free', text: 'FREE' },
            children: <p>Chosen by 200k+ players. A line or two about it.</p>,
            action: (
              <a className={buttonClass({ kind: 'quiet' })} href="#choose">
                Learn more
              </a>
            ),
          }))}
        />
        <Tabs
          label="Advertiser"
          tabs={['Linkvertise', 'Work.ink', 'LootLabs'].map((label) => ({
            id: label,
            label,
            panel: <Card>The step by {label}.</Card>,
          }))}
        />
      </Section>

      <Section id="watch" heading="Carousel and video">
        <Carousel
          label="Plans"
          slides={['Basic', 'Plus', 'Premium'].map((caption) => ({
            id: caption,
            caption,
            content: (
              <Card label={caption}>
                <h3>{caption}</h3>
                <p>What the {caption} plan gives.</p>
              </Card>
            ),
          }))}
        />
        <VideoFacade link="https://youtu.be/aqz-KE-bpKQ" title="Trailer">
          <VideoPoster variant="v5">{SCREENS.v5}</VideoPoster>
        </VideoFacade>
      </Section>

      <Section id="explain" heading="Features, steps, comparison" layout="centred">
        <FeatureGrid
          features={[
            { icon: 'star', title: 'Unseen UI Experience', text: 'Made for thumbs, drawn for the dark.' },
            { icon: 'spark', title: 'First AI Executor', text: 'Say what you want, and read the script it writes.' },
            { icon: 'bolt', title: 'Extreme Performance', text: 'Starts while others still load.' },
            { icon: 'shield', title: 'The Most Innovative', text: 'New things come here before they come elsewhere.' },
          ]}
        />
        <Steps
          steps={[
            { title: 'Download', text: 'Take the file for your device.' },
            { title: 'Unlock', text: 'Through a reseller, a plan or a key.' },
            { title: 'Play', text: 'Open the game, and run your script.' },
          ]}
        />
        <Comparison
          caption="V5 and NEO"
          columns={[
            { id: 'v5', heading: 'V5' },
            { id: 'neo', heading: 'NEO' },
          ]}
          rows={[
            { label: 'AI assistant', cells: [true, false] },
            { label: 'Price', cells: ['Through resellers', 'Free'] },
            { label: 'Android and iOS', cells: [true, true] },
          ]}
        />
      </Section>

      <Section id="facts" heading="Facts, questions, dialogs">
        <div className={css.grid}>
          <Card>
            <AppInfo
              facts={[
                { label: 'Version', value: '2.684' },
                { label: 'Status', value: <Badge kind="warn">Updating</Badge> },
                { label: 'Needs', value: 'Android 8 or later' },
              ]}
            />
          </Card>
          <GlowFrame>
            <Card>
              <p>
                Your key works for <Countdown endsAt={endsAt} />
              </p>
              <CopyField label="Device ID" value="8f14e45fceea167a5a36dedd4bea2543" />
              <CopyField label="Key" value="ARX-5f1c9a7e-0d3b-4c55" whole />
            </Card>
          </GlowFrame>
        </div>
        <DisclosureList items={QUESTIONS} />
        <DesignDialogs />
      </Section>
      <StickyAction>
        <Button>Download</Button>
        <Button kind="quiet">Get key</Button>
      </StickyAction>
    </Page>
  );
}
