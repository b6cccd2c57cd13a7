import type { ErrorCode } from '@app/contracts/errors';
import { copyText } from '@app/design-system/copy-text';
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
      <svg className={css.sign} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={isCopied ? 'm3 8.5 3 3 7-7' : 'M6 6h7v7H6zM10 3H3v7'} />
      </svg>
    </button>
  );
}
