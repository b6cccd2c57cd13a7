import { AppInfo } from '@app/design-system/app-info';
import { Badge } from '@app/design-system/badge';
import { Card } from '@app/design-system/card';
import { Comparison } from '@app/design-system/comparison';
import { CopyField } from '@app/design-system/copy-field';
import { Countdown } from '@app/design-system/countdown';
import { DisclosureList } from '@app/design-system/disclosure';
import { FeatureGrid } from '@app/design-system/feature-grid';
import { FormField } from '@app/design-system/form-field';
import { GlowFrame } from '@app/design-system/glow-frame';
import { Section } from '@app/design-system/section';
import { Steps } from '@app/design-system/steps';
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

/** The parts that explain: features, steps, comparison, facts, questions, dialogs. */
export function DesignContent() {
  const [endsAt] = useState(() => Date.now() + 86_400_000);

  return (
    <>
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
        <div className={css.grid}>
          {(['hint', 'ok', 'error'] as const).map((kind) => (
            <FormField key={kind} label="A field" message={{ kind, text: `A message of the kind ${kind}` }}>
              {(control) => <input {...control} placeholder="Placeholder" />}
            </FormField>
          ))}
        </div>
        <DisclosureList items={QUESTIONS} />
        <DesignDialogs />
      </Section>
    </>
  );
}
