import { Button, ButtonRow, buttonClass } from '@app/design-system/button';
import { CopyField } from '@app/design-system/copy-field';
import { copyText } from '@app/design-system/copy-text';
import layout from '@app/design-system/layout.module.css';
import texts from '@app/design-system/text.module.css';
import { useEffect, useRef, useState } from 'react';
import { readPublicAddress, writeBugReport } from './describe-page.ts';
import { formatTime } from '../../date.ts';
import { togglePartNames, useArePartNamesShown } from './part-names.tsx';
import { endAccess, makeShareLink, messageOf } from './qa-calls.ts';
import { t } from './words.ts';

interface ToolRowProps {
  access: boolean;
  canShare: boolean;
  onProblem: (problem: string) => void;
}

export function ToolRow({ access, canShare, onProblem }: ToolRowProps) {
  const [text, setText] = useState<{ label: string; value: string; isCopied: boolean }>();
  const areNamed = useArePartNamesShown();
  const made = useRef<HTMLDivElement>(null);

  // It comes below the end of what is seen.
  useEffect(() => {
    if (text) made.current?.scrollIntoView({ block: 'nearest' });
  }, [text]);

  /** What was made is shown as well: some browsers refuse to copy after a wait. */
  async function show(label: string, value: string) {
    setText({ label, value, isCopied: await copyText(value) });
  }

  const run = (act: () => Promise<void>) => () => void act().catch((error: unknown) => onProblem(messageOf(error)));
  const share = run(async () => {
    const { link, until } = await makeShareLink(readPublicAddress());
    await show(t('share.label', { until: formatTime(until) }), link);
  });
  const leave = run(() => endAccess().then(() => location.reload()));

  return (
    <div className={layout.stack}>
      <ButtonRow>
        {canShare && (
          <Button kind="quiet" onClick={share}>
            {t('share')}
          </Button>
        )}
        <Button kind="quiet" onClick={() => void show(t('bug.label'), writeBugReport())}>
          {t('bug')}
        </Button>
        {access && (
          <>
            <Button kind="quiet" onClick={togglePartNames}>
              {areNamed ? t('names.hide') : t('names.show')}
            </Button>
            <a className={buttonClass({ kind: 'quiet' })} href="/qa/releases">
              {t('releases')}
            </a>
            <Button kind="quiet" onClick={leave}>
              {t('access.end')}
            </Button>
          </>
        )}
      </ButtonRow>
      <div ref={made} className={layout.stack}>
        <p className={texts.quiet} role="status">
          {text?.isCopied && t('copied')}
        </p>
        {text && <CopyField key={text.value} label={text.label} value={text.value} lines />}
      </div>
    </div>
  );
}
