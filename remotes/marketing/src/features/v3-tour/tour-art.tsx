import type { ReactNode } from 'react';
import css from './tour-art.module.css';

/** The canvas of the drawings below: 400 × 150, in the greys of V3. */
function Stage({ children }: { children: ReactNode }) {
  return (
    <svg className={css.stage} viewBox="0 0 400 150" aria-hidden="true">
      {children}
    </svg>
  );
}

export function WindowArt() {
  return (
    <Stage>
      <rect className={css.panel} x="90" y="20" width="220" height="112" rx="10" />
      <path className={css.line} d="M108 48h110M108 66h76M108 84h96" />
      <rect className={css.fill} x="242" y="100" width="54" height="20" rx="6" />
      <rect className={css.key} x="182" y="100" width="54" height="20" rx="6" />
    </Stage>
  );
}

export function IconArt() {
  return (
    <Stage>
      <path className={css.ground} d="M0 116c70-30 130-26 190-4s130 18 210-18v56H0z" />
      <circle className={css.ring} cx="200" cy="70" r="44" />
      <circle className={css.fill} cx="200" cy="70" r="30" />
      <path className={css.ink} d="m188 66 12-9 12 9m-24 12 12-9 12 9" />
    </Stage>
  );
}

export function SpeedArt() {
  return (
    <Stage>
      <path className={css.grid} d="M40 40h320M40 76h320M40 112h320" />
      <path className={css.graph} d="M40 108c50-4 60-46 104-50s60 26 104 6 66-40 112-38" />
      <circle className={css.fill} cx="360" cy="26" r="8" />
    </Stage>
  );
}

const KEYS = [10, 9, 8].flatMap((count, row) =>
  Array.from({ length: count }, (_, at) => ({
    x: 200 - count * 17 + at * 34,
    y: 26 + row * 30,
    isFilled: row === 2 && at % 7 === 0,
  })),
);

export function KeyboardArt() {
  return (
    <Stage>
      {KEYS.map(({ x, y, isFilled }) => (
        <rect
          key={`${x} ${y}`}
          className={isFilled ? css.fill : css.key}
          x={x + 3}
          y={y}
          width="28"
          height="24"
          rx="6"
        />
      ))}
      <rect className={css.key} x="130" y="116" width="140" height="20" rx="6" />
    </Stage>
  );
}

export function EditorArt() {
  return (
    <Stage>
      <rect className={css.panel} x="60" y="16" width="280" height="118" rx="10" />
      <path className={css.rule} d="M96 16v118" />
      <path className={css.line} d="M112 40h60M128 60h112M128 80h76M128 100h96M112 120h30" />
      <path className={css.faint} d="M74 40h8M74 60h8M74 80h8M74 100h8M74 120h8" />
      <path className={css.bright} d="M184 40h40M214 80h60" />
    </Stage>
  );
}

export function KeyArt() {
  return (
    <Stage>
      <circle className={css.track} cx="200" cy="75" r="52" />
      <circle className={css.dial} cx="200" cy="75" r="52" pathLength="100" transform="rotate(-90 200 75)" />
      <text className={css.figure} x="200" y="84" textAnchor="middle">
        24 h
      </text>
    </Stage>
  );
}

export function PlansArt() {
  return (
    <Stage>
      <rect className={css.key} x="76" y="50" width="72" height="84" rx="10" />
      <rect className={css.panel} x="164" y="34" width="72" height="100" rx="10" />
      <rect className={css.fill} x="252" y="16" width="72" height="118" rx="10" />
      <path className={css.ink} d="m276 44 8 8 16-16" />
      <path className={css.line} d="M92 74h40M92 92h26M180 58h40M180 76h26M180 94h34" />
    </Stage>
  );
}

export function SecurityArt() {
  return (
    <Stage>
      <path className={css.panel} d="m200 12 48 18v38c0 32-20 56-48 68-28-12-48-36-48-68V30z" />
      <path className={css.graph} d="m178 72 16 16 30-32" />
    </Stage>
  );
}
