import type { ReactNode } from 'react';
import css from './why-art.module.css';

const ART = { ui: WindowArt, ai: AssistantArt, speed: SpeedArt, new: NewArt };

/** The drawing of one of the reasons for V5. */
export function WhyArt({ of }: { of: keyof typeof ART }) {
  const Art = ART[of];
  return <Art />;
}

/** The canvas of the drawings below: 400 × 150, in the colours of V5. */
function Stage({ children }: { children: ReactNode }) {
  return (
    <svg className={css.stage} viewBox="0 0 400 150" data-app="v5" aria-hidden="true">
      {children}
    </svg>
  );
}

/** The app's window over a game. */
function WindowArt() {
  return (
    <Stage>
      <path className={css.ground} d="M0 112c60-34 110-30 168-6s130 22 232-28v72H0z" />
      <circle className={css.sun} cx="330" cy="46" r="24" />
      <rect className={css.panel} x="84" y="22" width="216" height="112" rx="14" />
      <rect className={css.app} x="96" y="34" width="30" height="30" rx="9" />
      <path className={css.faint} d="M96 82h30M96 98h30M96 114h22" />
      <path className={css.line} d="M144 44h96M144 62h64M158 80h92M158 98h48M144 116h72" />
      <rect className={css.app} x="250" y="106" width="40" height="18" rx="9" />
    </Stage>
  );
}

/** A request to the assistant, and the script that it writes. */
function AssistantArt() {
  return (
    <Stage>
      <rect className={css.panel} x="150" y="10" width="236" height="40" rx="20" />
      <text className={css.say} x="172" y="35">
        Let me jump twice in the air
      </text>
      <path
        className={css.spark}
        d="M34 64c2.6 13 7 17.4 20 20-13 2.6-17.4 7-20 20-2.6-13-7-17.4-20-20 13-2.6 17.4-7 20-20z"
      />
      <rect className={css.reply} x="66" y="62" width="250" height="80" rx="16" />
      <g className={css.code}>
        <text x="84" y="88">
          <tspan className={css.appText}>hero</tspan>.onJump(<tspan className={css.appText2}>function</tspan>()
        </text>
        <text x="100" y="108">
          hero.boost(<tspan className={css.number}>50</tspan>)
        </text>
        <text x="84" y="128">
          <tspan className={css.appText2}>end</tspan>)
        </text>
      </g>
    </Stage>
  );
}

/** A speedometer that shows a high speed. */
function SpeedArt() {
  return (
    <Stage>
      <path className={css.track} d="M108 132a92 92 0 0 1 184 0" />
      <path className={css.dial} d="M108 132a92 92 0 0 1 184 0" pathLength="100" />
      <path className={css.needle} d="m200 132 52-48" />
      <circle className={css.app} cx="200" cy="132" r="9" />
      <path className={css.faint} d="M20 58h58M8 84h48M26 110h40M322 58h58M344 84h48M334 110h40" />
    </Stage>
  );
}

/** Orbits around a spark. */
function NewArt() {
  return (
    <Stage>
      <ellipse className={css.orbit} cx="200" cy="75" rx="164" ry="56" />
      <ellipse className={css.orbit} cx="200" cy="75" rx="106" ry="36" />
      <path
        className={css.spark}
        d="M200 41c4.4 22 12 29.6 34 34-22 4.4-29.6 12-34 34-4.4-22-12-29.6-34-34 22-4.4 29.6-12 34-34z"
      />
      <circle className={css.app} cx="57" cy="48" r="9" />
      <circle className={css.sun} cx="334" cy="107" r="12" />
      <circle className={css.dot} cx="294" cy="58" r="6" />
      <circle className={css.dot} cx="126" cy="101" r="5" />
    </Stage>
  );
}
