import { AppMark } from '@app/brand-ui/app-mark';
import { APP_NAMES, type AppName } from '@app/brand-ui/app-name';
import { DeviceFrame } from '@app/brand-ui/device-frame';
import companion from '@app/brand-ui/device/companion-screen.svg?raw';
import { VideoPoster } from '@app/brand-ui/video-poster';
import { Badge } from '@app/design-system/badge';
import { Button, buttonClass, ButtonRow } from '@app/design-system/button';
import { Card } from '@app/design-system/card';
import { Carousel } from '@app/design-system/carousel';
import { ChoiceCards } from '@app/design-system/choice-cards';
import { Comparison } from '@app/design-system/comparison';
import { showAlert, showConfirm } from '@app/design-system/confirm';
import { CopyField } from '@app/design-system/copy-field';
import { CountUp } from '@app/design-system/count-up';
import { Countdown } from '@app/design-system/countdown';
import { Dialog } from '@app/design-system/dialog';
import { DisclosureList } from '@app/design-system/disclosure';
import { FactList } from '@app/design-system/fact-list';
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
import texts from '@app/design-system/text.module.css';
import { VideoFacade } from '@app/design-system/video-facade';
import { useState } from 'react';
import css from './design-page.module.css';

const ICONS: readonly IconName[] = [
  ...(['android', 'apple', 'windows', 'check', 'cross', 'play', 'pause', 'copy', 'chevron', 'star'] as const),
  ...(['shield', 'bolt', 'spark', 'gift', 'download', 'external', 'warning'] as const),
];

const COLOURS = ['bg', 'surface', 'surface-2', 'surface-3', 'accent', 'tint', 'ok', 'warn', 'danger'];

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
          <div className={css.figures}>
            <ScrambleText
              phrases={['Writes your script', 'Explains what it does', 'Finds the fault', 'Knows your game']}
            />
            <StatRow>
              <Stat label="Community">
                <CountUp value={500} durationMs={1200} suffix="k+" />
              </Stat>
              <Stat label="Rating">
                <CountUp value={4.8} durationMs={900} decimals={1} suffix="/5" />
              </Stat>
            </StatRow>
          </div>
          <DeviceFrame variant="companion" label="The companion app on a phone" hero screen={companion} />
          <Orbs />
        </div>
        <div className={css.grid}>
          {APP_NAMES.map((name) => (
            <Card key={name}>
              <div className={css.row}>
                <AppMark app={name} size={64} />
                <AppMark app={name} />
                <AppMark app={name} size={32} label={name} />
                <AppMark app={name} size={20} />
              </div>
            </Card>
          ))}
        </div>
      </Section>

      <Section id="type" heading="Type and colour" eyebrow="Eyebrow" lead="A lead says in a line what follows.">
        <Card>
          <h2 className={css.first}>First-level heading</h2>
          <h2>Second-level heading</h2>
          <h3>Third-level heading</h3>
          <p>Text as one reads it, 0,99 € and 4.8/5.</p>
          <p className={texts.quiet}>Quiet text, for what is less important.</p>
        </Card>
        <ul className={css.samples}>
          {COLOURS.map((name) => (
            <li key={name}>
              <svg className={css.colour}>
                <rect width="100%" height="100%" fill={`var(--${name})`} />
              </svg>
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
          {(['hot', 'free', 'disc', 'latest', 'ok', 'warn'] as const).map((kind) => (
            <Badge key={kind} kind={kind}>
              {kind}
            </Badge>
          ))}
        </div>
        <ul className={css.samples}>
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
          choices={APP_NAMES.map((value) => ({
            value,
            data: { 'data-app': value },
            title: value,
            art: <AppMark app={value} />,
            badge: { kind: value === 'v3' ? 'disc' : 'free', text: value === 'v3' ? 'DISCONTINUED' : 'FREE' },
            children: <p>A line or two about it.</p>,
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
            content: <Card label={caption}>What the {caption} plan gives.</Card>,
          }))}
        />
        <VideoFacade link="https://youtu.be/aqz-KE-bpKQ" title="Trailer">
          <VideoPoster variant="v5" />
        </VideoFacade>
      </Section>

      <Section id="explain" heading="Features, steps, comparison">
        <FeatureGrid
          features={['Unseen UI', 'First AI Executor', 'Extreme Performance', 'The Most Innovative'].map((title) => ({
            title,
            text: 'A sentence about it, which may need a second line.',
          }))}
        />
        <Steps
          steps={['Download', 'Unlock', 'Play'].map((title) => ({ title, text: 'What to do, and what comes of it.' }))}
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
          ]}
        />
      </Section>

      <Section id="facts" heading="Facts, questions, dialogs">
        <Facts />
        <DisclosureList
          items={['How many can be open at once?', 'Is a closed answer found by search in the page?'].map((title) => ({
            id: title,
            title,
            content: <p>One at a time. Tab leads from one to the next, Enter and Space open and close it.</p>,
          }))}
        />
        <Dialogs />
      </Section>
      <StickyAction>
        <Button>Download</Button>
        <Button kind="quiet">Get key</Button>
      </StickyAction>
    </Page>
  );
}

function Facts() {
  const [endsAt] = useState(() => Date.now() + 86_400_000);

  return (
    <div className={css.grid}>
      <Card>
        <FactList
          facts={[
            { label: 'Version', value: '2.684' },
            { label: 'Status', value: <Badge kind="warn">Updating</Badge> },
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
  );
}

/** A button for each kind of dialog, and the visitor's last answer. */
function Dialogs() {
  const [open, setOpen] = useState<'leaves' | 'stays'>();
  const [answer, setAnswer] = useState<string>();
  const close = () => setOpen(undefined);
  const acts = {
    Dialog: () => setOpen('leaves'),
    'Dialog that stays': () => setOpen('stays'),
    Confirm: () =>
      void showConfirm({ title: 'Go on?', text: 'This opens the app.' }).then((agreed) => setAnswer(String(agreed))),
    Alert: () =>
      void showAlert({ title: 'Not yet', text: 'The captcha has to be solved first.' }).then(() => setAnswer('read')),
  };

  return (
    <>
      <ButtonRow>
        {Object.entries(acts).map(([name, act]) => (
          <Button key={name} kind="quiet" onClick={act}>
            {name}
          </Button>
        ))}
      </ButtonRow>
      {answer && <p role="status">Answer: {answer}</p>}
      <Dialog
        isOpen={open !== undefined}
        stays={open === 'stays'}
        title="Key System completed!"
        art={<AppMark app="v5" size={56} />}
        onClose={close}
        actions={<Button onClick={close}>Launch</Button>}
      >
        <p>The key works for 24 hours. After that the key system has to be done again.</p>
      </Dialog>
    </>
  );
}
