import { RUN_KEY, runKeyTeeth } from '@app/contracts/run-key-shape';
import { useEffect } from 'react';
import css from './run-key.module.css';

/** When the cut of a tooth is over, in milliseconds: 350 pass before it begins. */
const CUT_MS = 1050;

const TAP_MS = 15;

interface RunKeyProps {
  /** How many steps the run takes: six teeth in two series, or three in one. */
  of: number;
  /** How many steps are completed. Their teeth are cut. */
  done: number;
  current?: number | undefined;
  /** Shows how the last completed step is cut. Leave it out in a first render. */
  isCutNow?: boolean;
}

/** A run as a key that is being cut: its teeth are the steps. The text beside it has to say the same. */
export function RunKey({ of, done, current, isCutNow = false }: RunKeyProps) {
  useEffect(() => {
    if (!isCutNow || matchMedia('(prefers-reduced-motion: reduce)').matches) return;

    const timer = setTimeout(vibrate, CUT_MS);
    return () => clearTimeout(timer);
  }, [isCutNow, done]);

  return (
    <svg className={css.key} viewBox={`0 0 ${RUN_KEY.width} ${RUN_KEY.height}`} aria-hidden="true">
      <path className={css.body} d={RUN_KEY.body} />
      <path className={css.lines} d={RUN_KEY.lines} />
      {runKeyTeeth(of).map(({ tooth, stock, from }, index) => {
        const step = index + 1;
        const state = step <= done ? 'done' : step === current ? 'now' : 'next';
        const isCut = isCutNow && step === done;

        return (
          <g key={step} data-state={state}>
            {state !== 'done' && <path className={css.stock} d={stock} />}
            {state !== 'next' && <path className={css.tooth} d={tooth} />}
            {isCut && <path className={css.chip} d={stock} />}
            {isCut && <circle className={css.spark} r="1.5" cx={from.x} cy={from.y} />}
          </g>
        );
      })}
    </svg>
  );
}

/** Chrome lets nobody do so before the first touch, and would log it. */
function vibrate(): void {
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(TAP_MS);
}
