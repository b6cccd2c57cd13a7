import { ButtonSketch, FaintLines, HomeSketch, PhoneSketch } from '@app/brand-ui/phone-sketch';
import { RUN_KEY, runKeyTeeth } from '@app/contracts/run-key-shape';
import type { AppId } from '@app/contracts/key-system';
import type { ReactNode } from 'react';
import { t } from '../../words.ts';
import { t as tell } from './words.ts';
import css from './begin-picture.module.css';

/** The signs on the apps' icons, as lines on a grid of 48 × 48: a letter, and a rose. */
const SIGNS: Record<AppId, string> = {
  main: 'm13 35 11-22 11 22',
  companion: 'M23 23.5a2.7 2.7 0 0 1 5.4 0 5.7 5.7 0 0 1-11.4 0 8.7 8.7 0 0 1 17.4 0',
};

const [FIRST, SECOND] = runKeyTeeth(6);

/** How a key begins, in three drawn phones that light up in turn: the app, its Get Key button, and this page. */
export function BeginPicture({ app }: { app: AppId }) {
  return (
    <ol className={css.frames}>
      <Frame words={tell('begin.open')}>
        <HomeSketch sign={SIGNS[app]} />
      </Frame>
      <Frame words={tell('begin.press')}>
        <ButtonSketch label={t('getkey.getKey')} />
      </Frame>
      <Frame words={tell('begin.back')}>
        <FaintLines d="M16 22h68M16 88h36M16 100h54" />
        <svg x="10" y="42" width="88" height="28" viewBox="0 0 154 40">
          <path className={css.steel} d={RUN_KEY.body} />
          <path className={css.done} d={FIRST?.tooth} />
          <path className={css.now} d={SECOND?.tooth} />
        </svg>
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
      <p className={css.words}>{words}</p>
    </li>
  );
}
