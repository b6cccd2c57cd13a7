import type { AppName } from '../app-name.ts';
import css from './close-up.module.css';
import { Drawing } from './drawing.tsx';

interface CloseUpProps {
  app: AppName;
  svg: string;
  /** The point of the drawing that is in the middle of the box. */
  at: readonly [x: number, y: number];
}

/**
 * A close look at a part of an app. It fills its box and always has the same scale, at which its words are as large as
 * those of the page: a wider box shows more of it. What has a `data-loop` comes and goes, as its style sheet says.
 */
export function CloseUp({ app, svg, at: [x, y] }: CloseUpProps) {
  return (
    <svg className={css.closeUp} data-app={app} aria-hidden="true">
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
