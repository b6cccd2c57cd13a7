import { ASSISTANT } from '@app/contracts/brand';
import { Icon } from '@app/design-system/icon';
import { ScrambleText } from '@app/design-system/scramble-text';
import { t } from '../../words.ts';
import css from './assistant-line.module.css';

const PHRASES = [
  t('v5.tagline.1'),
  t('v5.tagline.2'),
  t('v5.tagline.3'),
  t('v5.tagline.4'),
  t('v5.tagline.5'),
  t('v5.tagline.6'),
] as const;

/** The name of the AI assistant, and phrases about what it does, one after the other. */
export function AssistantLine() {
  return (
    <>
      <span className={css.who}>
        <Icon name="spark" size={18} />
        {ASSISTANT}
      </span>
      <span className={css.line}>
        <ScrambleText phrases={PHRASES} />
      </span>
    </>
  );
}
