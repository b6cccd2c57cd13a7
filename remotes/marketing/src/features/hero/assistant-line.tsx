import { ASSISTANT } from '@app/contracts/brand';
import { Icon } from '@app/design-system/icon';
import { ScrambleText } from '@app/design-system/scramble-text';
import { useMemo } from 'react';
import { t } from '../../words.ts';
import css from './assistant-line.module.css';

const PHRASES = [1, 2, 3, 4, 5, 6] as const;

/** The name of the AI assistant, and phrases about what it does, one after the other. */
export function AssistantLine() {
  const phrases = useMemo(() => PHRASES.map((phrase) => t(`v5.tagline.${phrase}`)), []);

  return (
    <>
      <span className={css.who}>
        <Icon name="spark" size={18} />
        {ASSISTANT}
      </span>
      <span className={css.line}>
        <ScrambleText phrases={phrases} />
      </span>
    </>
  );
}
