import { SectionLinks } from '../../section-links.tsx';
import { t } from '../../words.ts';
import css from './contents.module.css';
import { SECTIONS } from './policy.tsx';

/** Links to the parts of the page. A small window has no room for them. */
export function PolicyContents() {
  const parts = [
    ...SECTIONS.map(({ id, heading }) => ({ id, label: t(heading) })),
    { id: 'stored', label: t('stored.heading') },
  ];

  return (
    <nav className={css.contents} aria-label={t('policy.contents')}>
      <SectionLinks sections={parts} />
    </nav>
  );
}
