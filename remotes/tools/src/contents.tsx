import { logFailure } from '@app/platform';
import { useEffect, useState } from 'react';
import css from './contents.module.css';
import type { ContentsDialog } from './contents-dialog.tsx';
import { SectionLinks, type ContentsProps, type Section } from './section-links.tsx';

/** The sections of a page: a list beside it, which marks the one that is read. */
export function Contents({ sections, words }: ContentsProps) {
  const current = useCurrentSection(sections);

  return (
    <nav className={css.contents} aria-label={words.label}>
      <SectionLinks sections={sections} current={current} />
    </nav>
  );
}

/** The bar that opens the list where there is no space beside the page. It stays at the top of its parent. */
export function ContentsButton(props: ContentsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [loaded, setLoaded] = useState<{ ContentsDialog: typeof ContentsDialog }>();

  function open() {
    setIsOpen(true);
    import(/* webpackChunkName: "contents" */ './contents-dialog.tsx').then(setLoaded, (error: unknown) =>
      logFailure('Contents', error),
    );
  }

  return (
    <>
      <button type="button" className={css.button} data-needs-script aria-haspopup="dialog" onClick={open}>
        <svg viewBox="0 0 18 18" width="18" height="18" stroke="currentColor" strokeWidth="1.75" aria-hidden="true">
          <path d="M3 4.5h12M3 9h12M3 13.5h7" />
        </svg>
        <span>{props.words.open}</span>
      </button>
      {loaded && isOpen && <loaded.ContentsDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** The section at the reader's eyes: a little below the upper edge of the window. */
function useCurrentSection(sections: readonly Section[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id);
  const ids = sections.map(({ id }) => id).join(' ');

  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) if (isIntersecting) setCurrent(target.id);
      },
      { rootMargin: '-25% 0px -74%' },
    );
    for (const id of ids.split(' ')) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [ids]);

  return current;
}
