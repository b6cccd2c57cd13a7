import { useEffect, useRef, useState, type ReactNode } from 'react';
import { copyText } from './copy-text.ts';
import css from './copy-field.module.css';
import { Icon } from './icon.tsx';
import { shorten } from './shorten.ts';
import visuallyHidden from './visually-hidden.module.css';
import { t } from './words.ts';

/** Keeps the line of a value that is not known yet. */
const BLANK_LINE = '\u00a0';

const RESULT_DURATION_MS = 3000;

interface CopyFieldProps {
  label: string;
  /** Undefined until it is known, which keeps its line. A press before that copies it then. */
  value: string | undefined;
  whole?: boolean;
  /** Shows a text of many lines in a box that scrolls. */
  lines?: boolean;
  /** The value as it is shown, such as coloured code. */
  children?: ReactNode;
}

/** A value with a button that copies it. It is shown shortened and copied whole. */
export function CopyField({ label, value, whole = false, lines = false, children = value }: CopyFieldProps) {
  const isAwaited = useRef(false);
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const [isRefused, setIsRefused] = useState(false);
  const text = useRef<HTMLElement>(null);

  // What could not be copied is shown whole and selected, to be copied by hand.
  useEffect(() => {
    if (state === 'failed' && text.current) getSelection()?.selectAllChildren(text.current);
  }, [state]);

  useEffect(() => {
    if (state === 'idle') return;

    const timer = setTimeout(() => setState('idle'), RESULT_DURATION_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async (text: string) => {
    const isCopied = await copyText(text);
    setState(isCopied ? 'copied' : 'failed');
    setIsRefused(!isCopied);
  };

  useEffect(() => {
    if (!isAwaited.current || value === undefined) return;

    isAwaited.current = false;
    void copy(value);
  }, [value]);

  const isWhole = whole || isRefused;

  return (
    <div className={css.field}>
      <p className={css.label}>{label}</p>
      {lines ? (
        <pre className={css.lines} role="group" aria-label={label} tabIndex={0}>
          <code ref={text}>{children}</code>
        </pre>
      ) : (
        <code ref={text} className={isWhole ? css.whole : css.value}>
          {isWhole ? value : shorten(value ?? BLANK_LINE)}
        </code>
      )}
      <button
        type="button"
        className={css.copy}
        data-needs-script
        aria-label={t('copy.label', { label })}
        onClick={() => {
          if (value === undefined) isAwaited.current = true;
          else void copy(value);
        }}
      >
        <Icon name={state === 'copied' ? 'check' : 'copy'} size={18} />
        <span className={css.action}>{state === 'copied' ? t('copy.copied') : t('copy.copy')}</span>
      </button>
      {/* The button shows a success, so only screen readers need its words. */}
      <p className={state === 'copied' ? visuallyHidden.hidden : css.result} role="status" data-state={state}>
        {state !== 'idle' && t(`copy.${state}`)}
      </p>
    </div>
  );
}
