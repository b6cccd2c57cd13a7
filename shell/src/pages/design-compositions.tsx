import { AppMark } from '@app/brand-ui/app-mark';
import { APP_NAMES, type AppName } from '@app/brand-ui/app-name';
import { VideoPoster } from '@app/brand-ui/video-poster';
import { Badge } from '@app/design-system/badge';
import { buttonClass } from '@app/design-system/button';
import { Card } from '@app/design-system/card';
import { Carousel } from '@app/design-system/carousel';
import { ChoiceCards } from '@app/design-system/choice-cards';
import { Comparison } from '@app/design-system/comparison';
import { CopyField } from '@app/design-system/copy-field';
import { Countdown } from '@app/design-system/countdown';
import { DisclosureList } from '@app/design-system/disclosure';
import { FactList } from '@app/design-system/fact-list';
import { FeatureGrid } from '@app/design-system/feature-grid';
import { GlowFrame } from '@app/design-system/glow-frame';
import { Section } from '@app/design-system/section';
import { Steps } from '@app/design-system/steps';
import { Tabs } from '@app/design-system/tabs';
import { VideoFacade } from '@app/design-system/video-facade';
import { useState } from 'react';
import { DesignDialogs } from './design-dialogs.tsx';
import css from './design-page.module.css';

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

interface DesignCompositionsProps {
  app: AppName;
  onChange: (app: AppName) => void;
}

/** The larger components: choices, carousel, video, table, facts and dialogs. */
export function DesignCompositions({ app, onChange }: DesignCompositionsProps) {
  const [endsAt] = useState(() => Date.now() + 86_400_000);

  return (
    <>
      <Section id="choose" heading="Choose Your Experience" lead="A radio group of cards, then tabs.">
        <ChoiceCards
          label="Choose Your Experience"
          value={app}
          onChange={onChange}
          choices={APP_NAMES.map((value) => ({
            value,
            data: { 'data-app': value },
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
          <VideoPoster variant="v5" />
        </VideoFacade>
      </Section>

      <Section id="explain" heading="Features, steps, comparison">
        <FeatureGrid
          features={[
            { title: 'Unseen UI Experience', text: 'Made for thumbs, drawn for the dark.' },
            { title: 'First AI Executor', text: 'Say what you want, and read the script it writes.' },
            { title: 'Extreme Performance', text: 'Starts while others still load.' },
            { title: 'The Most Innovative', text: 'New things come here before they come elsewhere.' },
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
            <FactList
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
    </>
  );
}
