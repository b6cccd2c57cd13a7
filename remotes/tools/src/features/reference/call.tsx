import { CopyField } from '@app/design-system/copy-field';
import { Icon } from '@app/design-system/icon';
import { Tabs } from '@app/design-system/tabs';
import { fetchInTime, useIsHydrated } from '@app/platform';
import { createContext, use, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import css from './call.module.css';
import { Code } from './code.tsx';
import type { FileLanguage } from './sample-files.ts';
import { LANGUAGES, SITE, SNIPPETS, type Call as Request, type SampleLanguage } from './snippets.ts';
import { t } from './words.ts';

type Language = SampleLanguage | FileLanguage;

const LanguageContext = createContext<{ language: Language; choose: (language: Language) => void }>({
  language: 'curl',
  choose: () => undefined,
});

export function OneLanguage({ children }: { children: ReactNode }) {
  const [language, choose] = useState<Language>('curl');

  return <LanguageContext value={{ language, choose }}>{children}</LanguageContext>;
}

export function useLanguage() {
  return use(LanguageContext);
}

/** A call, written in each language, and the example of its answer. Visitors can run it if it is a GET. */
export function Call({ example, ...call }: Request & { example: object }) {
  return (
    <>
      <Sample call={call} />
      <Answer example={example} {...(!call.body && { path: call.path })} />
    </>
  );
}

function Sample({ call }: { call: Request }) {
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

interface CallOutcome {
  state: 'ok' | 'refused';
  label: string;
  text: string;
}

interface AnswerProps {
  example: object;
  path?: string;
  /** Of the call, where nothing above says it. */
  name?: string;
}

/** The example of an answer. With a path, a button asks this site and shows what it answers. */
export function Answer({ example, path, name }: AnswerProps) {
  const [outcome, setOutcome] = useState<CallOutcome>();
  const [isRunning, setIsRunning] = useState(false);

  async function run(address: string) {
    setIsRunning(true);
    setOutcome(await sendCall(address));
    setIsRunning(false);
  }

  return (
    <div className={css.answer}>
      <div className={css.bar}>
        <div>
          {name && <code className={css.name}>GET {name}</code>}
          <p className={css.state} role="status" data-state={outcome?.state ?? 'example'}>
            {outcome?.label ?? t('dev.answer')}
          </p>
        </div>
        {path !== undefined && (
          <button
            type="button"
            className={css.run}
            data-needs-script
            aria-disabled={isRunning}
            aria-label={t('dev.run.label', { path })}
            onClick={() => void (isRunning || run(path))}
          >
            <Icon name="play" size={18} />
            <span>{isRunning ? t('dev.run.running') : t('dev.run')}</span>
          </button>
        )}
      </div>
      <pre className={css.body} role="group" aria-label={t('dev.answer.label')} tabIndex={0}>
        <code>
          <Code text={outcome?.text ?? JSON.stringify(example, null, 2)} language="json" />
        </code>
      </pre>
    </div>
  );
}

/** Asks this site, and never rejects. What is no JSON is shown as it is. */
async function sendCall(path: string): Promise<CallOutcome> {
  const start = performance.now();
  try {
    return await fetchInTime(path, {}, async (response) => {
      const text = prettyPrintJson(await response.text());
      const ms = Math.round(performance.now() - start);
      const label = t('dev.run.done', { status: String(response.status), ms });
      return { state: response.ok ? 'ok' : 'refused', label, text };
    });
  } catch (error) {
    return { state: 'refused', label: t('dev.run.failed'), text: String(error) };
  }
}

function prettyPrintJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
