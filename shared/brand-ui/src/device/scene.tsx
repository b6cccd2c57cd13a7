import { useId } from 'react';
import css from './scene.module.css';

interface SceneProps {
  /** A close look needs no sun and block. */
  isClose?: boolean;
}

/** The game behind the app: sky, hills, the sun and a block, in the app's colours. */
export function Scene({ isClose = false }: SceneProps) {
  const id = useId();

  return (
    <g>
      <linearGradient id={id} x1="0" y1="0" x2="0.3" y2="1">
        <stop offset="0" className={css.skyTop} />
        <stop offset="1" className={css.skyBottom} />
      </linearGradient>
      <rect width="520" height="252" fill={`url(#${id})`} />
      {!isClose && <circle className={css.sun} cx="438" cy="64" r="30" />}
      <path className={css.far} d="M0 168 74 112l58 44 66-70 86 84 62-46 70 52 104-70v146H0Z" />
      <path className={css.near} d="M0 206 96 160l90 44 110-58 92 54 132-44v96H0Z" />
      {!isClose && <path className={css.blocks} d="M330 212h152v12H330z" />}
    </g>
  );
}
