import drawing from './flow.svg?raw';
import css from './flow.module.css';
import { t } from './words.ts';

/** Who talks to whom, numbered like the steps beside it. */
export function Flow() {
  const html = drawing.replace(/\{([\w.]+)\}/g, (_braces, id: string) => t(id as 'dev.flow.app'));

  return <div className={css.flow} role="img" aria-label={t('dev.flow')} dangerouslySetInnerHTML={{ __html: html }} />;
}
