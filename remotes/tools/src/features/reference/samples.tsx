import { CopyField } from '@app/design-system/copy-field';
import { Tabs } from '@app/design-system/tabs';
import { afterFirstPaint, logFailure } from '@app/platform';
import { useEffect, useRef, useState } from 'react';
import { t } from './words.ts';
import { Code } from './code.tsx';
import { Text } from './part.tsx';
import { useLanguage } from './call.tsx';
import type { Language } from './highlight.ts';
import type { FileLanguage, SAMPLE_FILES } from './sample-files.ts';
import css from './samples.module.css';
import { LANGUAGES } from './snippets.ts';

/** How many lines of a file are shown at first. */
const PREVIEW_LINES = 16;

const FILE_LANGUAGES = [
  ...LANGUAGES.filter((language) => language.id !== 'curl'),
  { id: 'kotlin', label: 'Kotlin' },
  { id: 'java', label: 'Java' },
  { id: 'go', label: 'Go' },
] as const;

type Files = typeof SAMPLE_FILES | 'failed' | undefined;

/** The sample files. They are larger than the page, and load after its first paint. */
export function Samples() {
  const [files, setFiles] = useState<Files>();
  const { language, choose } = useLanguage();
  // A shell has no file.
  const open = FILE_LANGUAGES.find(({ id }) => id === language)?.id ?? 'typescript';

  useEffect(() => {
    let isHere = true;
    void loadFiles().then((loaded) => isHere && setFiles(loaded));
    return () => void (isHere = false);
  }, []);

  return (
    <>
      <div data-needs-script>
        <Tabs
          label={t('dev.samples.language')}
          selected={open}
          onSelect={choose}
          tabs={FILE_LANGUAGES.map(({ id, label }) => ({
            id,
            label,
            panel: id === open && <FileList language={id} files={files} />,
          }))}
        />
      </div>
      <noscript>
        <p>{t('dev.samples.noScript')}</p>
      </noscript>
    </>
  );
}

function FileList({ language, files }: { language: FileLanguage; files: Files }) {
  if (files === 'failed') return <Text>{t('dev.samples.failed')}</Text>;
  return (
    <div className={css.files}>
      {language === 'lua' && <Text>{t('dev.samples.lua')}</Text>}
      {files ? files[language].map((file) => <File key={file.name} {...file} />) : <div className={css.waiting} />}
    </div>
  );
}

/** The beginning of a file, with a button for all of it. */
function File({ name, text, language }: { name: string; text: string; language: Language }) {
  const [isWhole, setIsWhole] = useState(false);
  const file = useRef<HTMLDivElement>(null);

  return (
    <div ref={file} className={css.file} data-whole={isWhole}>
      <CopyField label={name} value={text} lines>
        <Code text={isWhole ? text : text.split('\n', PREVIEW_LINES).join('\n')} language={language} />
      </CopyField>
      {!isWhole && (
        <button
          type="button"
          className={css.showAll}
          aria-label={t('dev.samples.all.label', { name })}
          onClick={() => {
            setIsWhole(true);
            file.current?.querySelector('pre')?.focus();
          }}
        >
          {t('dev.samples.all')}
        </button>
      )}
    </div>
  );
}

async function loadFiles(): Promise<Files> {
  await afterFirstPaint();
  try {
    return (await import(/* webpackChunkName: "sample-files" */ './sample-files.ts')).SAMPLE_FILES;
  } catch (error) {
    logFailure('Sample files', error);
    return 'failed';
  }
}
