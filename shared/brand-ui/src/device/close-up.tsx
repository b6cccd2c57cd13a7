import type { AppName } from '../app-name.ts';
import css from './close-up.module.css';
import { Drawing } from './drawing.tsx';
import { Scene } from './scene.tsx';

interface CloseUpProps {
  app: AppName;
  svg: string;
  /** The point of the drawing that is in the middle of the box. */
  at: readonly [x: number, y: number];
  /** Which part of the landscape is behind it, at which time of the day. Pictures side by side have different ones. */
  hour?: 1 | 2 | 3;
}

/**
 * A close look at a part of an app over the game. It fills its box and always has the same scale, at which its words
 * are as large as those of the page: a wider box shows more of it.
 */
export function CloseUp({ app, svg, at: [x, y], hour }: CloseUpProps) {
  return (
    <svg className={css.closeUp} data-app={app} aria-hidden="true">
      <svg
        className={css.sky}
        data-hour={hour}
        viewBox={hour ? `${hour * 80} 66 280 136` : '0 0 520 252'}
        preserveAspectRatio="xMidYMid slice"
      >
        <Scene isClose />
      </svg>
      <svg x="50%" y="50%" overflow="visible">
        <g className={css.view}>
          <g transform={`scale(1.6) translate(${-x} ${-y})`}>
            <Drawing svg={svg} />
          </g>
        </g>
      </svg>
    </svg>
  );
}
