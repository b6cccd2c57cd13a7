import { useId } from 'react';
import type { AppName } from './app-name.ts';
import css from './device-frame.module.css';
import { Drawing } from './device/drawing.tsx';
import { Scene } from './device/scene.tsx';

interface DeviceFrameProps {
  variant: AppName;
  /** A description for screen readers. Without it, they skip the picture. */
  label?: string;
  /** Slightly rotated, with a glow behind it, for the top of a page. */
  hero?: boolean;
  screen: string;
}

/** An SVG drawing of a phone in landscape format, with an app open over a game. */
export function DeviceFrame({ variant, label, hero = false, screen }: DeviceFrameProps) {
  const id = useId();

  return (
    <div className={css.stage} data-app={variant} data-hero={hero} {...(label && { role: 'img', 'aria-label': label })}>
      <svg className={css.device} viewBox="0 0 548 280" aria-hidden="true">
        <linearGradient id={`${id}-metal`} x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#6d7690" />
          <stop offset="0.45" stopColor="#2a3040" />
          <stop offset="1" className={css.glint} />
        </linearGradient>
        <clipPath id={`${id}-screen`}>
          <rect width="520" height="252" rx="30" />
        </clipPath>
        <rect x="96" y="0" width="52" height="6" rx="2" fill="#3c4356" />
        <rect x="160" y="0" width="30" height="6" rx="2" fill="#3c4356" />
        <rect x="1" y="2" width="546" height="276" rx="43" fill={`url(#${id}-metal)`} />
        <rect x="4" y="5" width="540" height="270" rx="40" fill="#05060a" />
        <g transform="translate(14 14)" clipPath={`url(#${id}-screen)`}>
          <Scene />
          <Drawing svg={screen} />
          <circle cx="17" cy="126" r="5" fill="#05060a" stroke="#262d3d" />
          <rect width="520" height="252" rx="30" fill="none" stroke="#fff" strokeOpacity="0.1" strokeWidth="2" />
        </g>
      </svg>
    </div>
  );
}
