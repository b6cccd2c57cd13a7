import { CopyField } from '@app/design-system/copy-field';
import { Tabs } from '@app/design-system/tabs';
import { afterFirstPaint, logFailure } from '@app/platform';
import { useEffect, useState } from 'react';
import { t } from './words.ts';
import { Code } from './code.tsx';
import { Text } from './part.tsx';
import { useLanguage } from './sample.tsx';
import type { SAMPLE_FILES } from './sample-files.ts';
import css from './samples.module.css';
import { LANGUAGES } from './snippets.ts';

type Files = typeof SAMPLE_FILES | 'failed' | undefined;

/** The sample files. They are larger than the page, and load after its first paint. */
export function Samples() {
  const [files, setFiles] = useState<Files>();
  const { language, choose } = useLanguage();
  // A shell has no file.
  const open = language === 'curl' ? 'typescript' : language;

  useEffect(() => {
    let isHere = true;
    void loadFiles().then((loaded) => isHere && setFiles(loaded));
    return () => void (isHere = false);
  }, []);

  return (
    <>
      <div className={css.samples}>
        <Tabs
          label={t('dev.samples.language')}
          selected={open}
          onSelect={choose}
          tabs={LANGUAGES.filter((one) => one.id !== 'curl').map(({ id, label }) => ({
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

function FileList({ language, files }: { language: keyof typeof SAMPLE_FILES; files: Files }) {
  if (files === 'failed') return <Text>{t('dev.samples.failed')}</Text>;
  return (
    <div className={css.files}>
      {language === 'lua' && <Text>{t('dev.samples.lua')}</Text>}
      {files ? (
        files[language].map(({ name, text }) => (
          <CopyField key={name} label={name} value={text} lines>
            <Code text={text} language={language} />
          </CopyField>
        ))
      ) : (
        <div className={css.waiting} />
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
