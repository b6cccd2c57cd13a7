import { CodeLines } from './code-lines.tsx';
import css from './device.module.css';
import { NeoSaved } from './neo-saved.tsx';
import { Figure } from './player.tsx';
import { RunButton, Spark, Window } from './window-parts.tsx';
import { t } from './words.ts';

/*
 * Stills of videos: 312 × 175, the short one 140 × 249. Their lower left part stays free for the title. At the width of
 * the narrowest phones, words are 11 px high.
 */

const SCRIPT = [
  '-- a trail of light',
  'local t = trail()',
  't.color = "cyan"',
  't.length = 20',
  '',
  'hero.onRun(t.show)',
];

/** A request at the left becomes the script at the right, and the character leaves a trail. */
export function V5Still() {
  return (
    <>
      <rect x="10" y="12" width="112" height="38" rx="10" className={css.prompt} />
      <text x="21" y="27.5" className={css.say}>
        {t('trail.1')}
      </text>
      <text x="21" y="41" className={css.say}>
        {t('trail.2')}
      </text>
      <Spark x={10} y={63} />
      <rect x="31" y="58" width="91" height="26" rx="10" className={css.reply} />
      <text x="41" y="75" className={css.say}>
        {t('trail.answer')}
      </text>
      <Window x={132} y={12} width={172} height={106}>
        <CodeLines x={24} y={22} lines={SCRIPT} current={5} width={160} />
      </Window>
      <Runner />
    </>
  );
}

/** The code from a shop, the page that takes it, and what it switches on. */
export function RedeemStill() {
  return (
    <>
      <rect x="10" y="14" width="116" height="54" rx="10" className={css.reply} />
      <text x="22" y="33" className={css.say}>
        {t('code')}
      </text>
      <text x="22" y="54" className={`${css.code} ${css.call}`}>
        7K2M-9QTD
      </text>
      <path d="M132 41h12m-5-5 5 5-5 5" className={css.trail} />
      <Window x={150} y={14} width={152} height={98}>
        <text x="14" y="22" className={css.hint}>
          /redeem
        </text>
        <rect x="10" y="32" width="132" height="26" rx="7" className={css.key} />
        <text x="20" y="49" className={`${css.code} ${css.plain}`}>
          7K2M-9QTD
        </text>
        <circle cx="24" cy="82" r="10" className={css.okFill} />
        <path d="m19.500 82 3.500 3.500 6-7" className={css.inkLine} />
        <text x="42" y="86.500" className={css.heading}>
          {t('code.on')}
        </text>
      </Window>
      <Runner />
    </>
  );
}

/** A saved script that is switched on, and the character that runs. */
export function NeoStill() {
  return (
    <>
      <g transform="translate(-310 -10)">
        <NeoSaved rows={2} />
      </g>
      <Runner />
    </>
  );
}

/** A script in the editor of V3, and the character that runs. */
export function V3Still() {
  return (
    <>
      <Window x={12} y={12} width={288} height={84}>
        <text x="16" y="22" className={css.heading}>
          Script
        </text>
        <CodeLines x={28} y={45} lines={['local hero = game.player', 'hero.speed = 32']} current={1} width={180} />
        <RunButton x={212} y={46} />
      </Window>
      <Runner />
    </>
  );
}

/** One switch, and what it does. */
export function ShortStill() {
  return (
    <>
      <rect x="12" y="14" width="116" height="34" rx="11" className={css.window} />
      <text x="25" y="35" className={css.say}>
        {t('speed')}
      </text>
      <rect x="88" y="22" width="29" height="18" rx="9" className={css.appFill} />
      <circle cx="108" cy="31" r="6.5" className={css.knob} />
      <path d="M6 96h34M14 112h26M2 128h38" className={css.trail} />
      <path d="M26 154h114v12H26z" className={css.blocks} />
      <g transform="translate(50 78) scale(2.4)">
        <Figure />
      </g>
    </>
  );
}

/** The character on the ground of the poster. */
function Runner() {
  return (
    <g transform="translate(240 120)">
      <path d="M-40 12h30M-28 24h18M-44 36h34" className={css.trail} />
      <g transform="scale(1.5)">
        <Figure />
      </g>
    </g>
  );
}
