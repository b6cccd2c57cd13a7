import { ButtonSketch, HomeSketch, PhoneSketch } from '@app/brand-ui/phone-sketch';
import { runKeyBody, runKeyTeeth } from '@app/contracts/run-key-shape';
import { type AppId, isSpecified, type SpecifiedApp } from '@app/contracts/key-system';
import { lettersOf } from '@app/design-system/letters';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { t as tDevice } from './words.ts';
import css from './begin-picture.module.css';

/** The signs on the apps' icons, as lines on a grid of 48 × 48: a letter, and a rose. */
const APP_ICON_PATHS: Record<SpecifiedApp, string> = {
  main: 'm13 35 11-22 11 22',
  companion: 'M23 23.5a2.7 2.7 0 0 1 5.4 0 5.7 5.7 0 0 1-11.4 0 8.7 8.7 0 0 1 17.4 0',
};

const OTHER_SIGN = 'm24 12 12 12-12 12-12-12z';

const [FIRST, SECOND] = runKeyTeeth(6);

const SHORT_BODY = runKeyBody(112);

const MAX_NAME_LENGTH = 9;

interface BeginPictureProps {
  app: AppId;
  /** The name of the app; a longer one has no room. */
  name: string;
  of: number | undefined;
}

/** How a key begins, in three drawn phones that light up in turn: the app, its Get Key button, and this page. */
export function BeginPicture({ app, name, of }: BeginPictureProps) {
  const sign = isSpecified(app) ? APP_ICON_PATHS[app] : OTHER_SIGN;

  return (
    <ol className={css.frames}>
      <Frame words={tDevice('begin.open')}>
        <HomeSketch sign={sign} />
      </Frame>
      <Frame words={tDevice('begin.press')}>
        <rect className={css.app} x="10" y="15" width="18" height="18" rx="5" />
        <path className={css.sign} transform="translate(10 15) scale(.375)" d={sign} />
        <text className={css.name} data-letters={lettersOf(name)} x="33" y="28">
          {name.length <= MAX_NAME_LENGTH && name}
        </text>
        <rect className={css.field} x="10" y="42" width="80" height="26" rx="8" />
        <path className={css.caret} d="M19 49v12" />
        <ButtonSketch y={76} label={t('getkey.getKey')} />
      </Frame>
      <Frame words={tDevice('begin.back')}>
        <path className={css.strip} d="M3 20h94v46H3z" />
        <text className={css.name} x="10" y="35">
          {t('step.count', { step: 2, of: Math.max(of ?? 3, 2) })}
        </text>
        <svg x="10" y="41" width="80" height="20" viewBox="0 0 174 40">
          <path className={css.steel} d={SHORT_BODY} />
          <path className={css.done} d={FIRST?.tooth} />
          <path className={css.now} d={SECOND?.tooth} />
        </svg>
        <ButtonSketch y={80} label={t('step.complete')} />
      </Frame>
    </ol>
  );
}

function Frame({ words, children }: { words: string; children: ReactNode }) {
  return (
    <li className={css.frame}>
      <PhoneSketch>
        {children}
        <rect className={css.light} x="2" y="2" width="96" height="120" rx="15" />
      </PhoneSketch>
      <p className={css.caption}>{words}</p>
    </li>
  );
}
