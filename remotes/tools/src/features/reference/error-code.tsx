import type { ErrorCode } from '@app/contracts/errors';
import { copyText } from '@app/design-system/copy-text';
import { Icon } from '@app/design-system/icon';
import { useRef } from 'react';
import css from './error-code.module.css';
import { t } from './words.ts';

interface ErrorCodeChipProps {
  code: ErrorCode;
  isCopied: boolean;
  onCopied: () => void;
}

/** The code of an error. A click copies it; where that fails, it is selected. */
export function ErrorCodeChip({ code, isCopied, onCopied }: ErrorCodeChipProps) {
  const text = useRef<HTMLElement>(null);

  async function copy() {
    if (await copyText(code)) onCopied();
    else if (text.current) getSelection()?.selectAllChildren(text.current);
  }

  return (
    <button type="button" className={css.chip} aria-label={t('errors.copy', { code })} onClick={() => void copy()}>
      <code ref={text} className={css.code}>
        {code}
      </code>
      <Icon name={isCopied ? 'check' : 'copy'} size={16} />
    </button>
  );
}
