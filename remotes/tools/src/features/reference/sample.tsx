import { CopyField } from '@app/design-system/copy-field';
import { Tabs } from '@app/design-system/tabs';
import { useIsHydrated } from '@app/platform';
import { createContext, use, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { t } from './words.ts';
import { Code } from './code.tsx';
import type { FileLanguage } from './sample-files.ts';
import { LANGUAGES, SITE, SNIPPETS, type Call, type SampleLanguage } from './snippets.ts';

type Language = SampleLanguage | FileLanguage;

const Chosen = createContext<{ language: Language; choose: (language: Language) => void }>({
  language: 'curl',
  choose: () => undefined,
});

/** Lets all samples of a page speak one language. */
export function OneLanguage({ children }: { children: ReactNode }) {
  const [language, choose] = useState<Language>('curl');

  return <Chosen value={{ language, choose }}>{children}</Chosen>;
}

export function useLanguage() {
  return use(Chosen);
}

/** A call in each language, with the address of this site. */
export function Sample({ call }: { call: Call }) {
  const { language, choose } = useLanguage();
  // Some languages have only whole files.
  const open = LANGUAGES.find(({ id }) => id === language)?.id ?? 'curl';
  const site = useIsHydrated() ? location.origin : SITE;
  const place = useRef<HTMLDivElement>(null);
  const top = useRef<number>(undefined);
  const name = `${call.body ? 'POST' : 'GET'} ${call.path.replace(/\?.*/, '')}`;

  // The samples above change, too. The one that was clicked stays under the finger.
  useLayoutEffect(() => {
    const now = place.current?.getBoundingClientRect().top;
    if (top.current !== undefined && now !== undefined) scrollBy({ top: now - top.current, behavior: 'instant' });
    top.current = undefined;
  }, [language]);

  return (
    <div ref={place}>
      <Tabs
        label={t('dev.samples.language')}
        selected={open}
        onSelect={(next) => {
          top.current = place.current?.getBoundingClientRect().top;
          choose(next);
        }}
        tabs={LANGUAGES.map(({ id, label }) => {
          const text = SNIPPETS[id](call, site);
          return {
            id,
            label,
            panel: id === open && (
              <CopyField label={name} value={text} lines>
                <Code text={text} language={id} />
              </CopyField>
            ),
          };
        })}
      />
    </div>
  );
}
