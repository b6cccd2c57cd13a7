import { Page } from '@app/design-system/page';
import { logFailure } from '@app/platform';
import { useEffect, useState } from 'react';
import type { ContentsButton, FollowSections } from '../contents.tsx';
import { Policy, PolicyFacts, SECTIONS } from '../features/privacy/policy.tsx';
import css from '../features/privacy/policy.module.css';
import { StoredHere } from '../features/privacy/stored-here.tsx';
import { SectionLinks } from '../section-links.tsx';
import { t } from '../words.ts';

export function PrivacyPolicyPage() {
  const [late, setLate] = useState<{ FollowSections: typeof FollowSections; ContentsButton: typeof ContentsButton }>();
  const [current, setCurrent] = useState<string>();
  const sections = [
    ...SECTIONS.map(({ id, heading }) => ({ id, label: t(heading) })),
    { id: 'stored', label: t('stored.heading') },
  ];
  const words = { label: t('policy.contents'), open: t('policy.open'), close: t('policy.close') };

  // What follows the reader loads after the page. Until then its place is kept.
  useEffect(() => {
    import(/* webpackChunkName: "contents" */ '../contents.tsx').then(setLate, (error: unknown) =>
      logFailure('Contents', error),
    );
  }, []);

  return (
    <Page
      heading={t('policy.heading')}
      lead={t('policy.updated')}
      narrow
      aside={
        <nav className={css.contents} aria-label={words.label}>
          <SectionLinks sections={sections} current={current} />
        </nav>
      }
    >
      <div className={css.bar}>{late && <late.ContentsButton sections={sections} words={words} />}</div>
      {late && <late.FollowSections sections={sections} onSection={setCurrent} />}
      <PolicyFacts />
      <Policy />
      <StoredHere />
    </Page>
  );
}
