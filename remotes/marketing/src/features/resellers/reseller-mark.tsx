import { Drawing } from '@app/brand-ui/device/drawing';
import mark1 from './mark-1.svg?raw';
import mark2 from './mark-2.svg?raw';
import mark3 from './mark-3.svg?raw';
import mark4 from './mark-4.svg?raw';
import css from './reseller-mark.module.css';

/** The logos by the id in `logo` of a reseller: 64 × 64. */
const MARKS: Readonly<Record<string, string>> = { 'mark-1': mark1, 'mark-2': mark2, 'mark-3': mark3, 'mark-4': mark4 };

/** The colours of monograms. A name always has the same. */
const COLOURS = ['#ff4d63', '#7c4dff', '#23b07a', '#ff7a3d', '#3d7dff'] as const;

/** The logo of a reseller. For an unknown id it is a monogram: one or two letters of the name on a seal. */
export function ResellerMark({ logo, name }: { logo: string; name: string }) {
  const svg = Object.hasOwn(MARKS, logo) ? MARKS[logo] : undefined;

  return (
    <svg className={css.mark} data-mark={logo} viewBox="0 0 64 64" aria-hidden="true">
      {svg ? <Drawing svg={svg} /> : <Monogram name={name} />}
    </svg>
  );
}

function Monogram({ name }: { name: string }) {
  const letters = name.split(/[^\p{L}\p{N}]+/u).flatMap((word) => [...word].slice(0, 1));
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);

  return (
    <>
      <path fill={COLOURS[sum % COLOURS.length]} d={SEAL} />
      <circle cx="32" cy="32" r="21.5" fill="none" stroke="#fff" strokeWidth="1.5" opacity="0.55" />
      <text className={css.letters} x="32" y="40" textAnchor="middle">
        {letters.slice(0, 2).join('').toUpperCase()}
      </text>
    </>
  );
}

/** A seal with twelve round teeth. */
const SEAL =
  'M24.8 5A7.8 7.8 0 0 1 39.2 5A7.8 7.8 0 0 1 51.8 12.2A7.8 7.8 0 0 1 59 24.8A7.8 7.8 0 0 1 59 39.2A7.8 7.8 0 0 1 51.8 51.8A7.8 7.8 0 0 1 39.2 59A7.8 7.8 0 0 1 24.8 59A7.8 7.8 0 0 1 12.2 51.8A7.8 7.8 0 0 1 5 39.2A7.8 7.8 0 0 1 5 24.8A7.8 7.8 0 0 1 12.2 12.2A7.8 7.8 0 0 1 24.8 5z';
