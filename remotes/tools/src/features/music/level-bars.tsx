import { useReducedMotion } from '@app/design-system/use-reduced-motion';
import { useEffect, useRef } from 'react';
import css from './level-bars.module.css';
import { BARS, type Player } from './player.ts';

const LOUDEST = 255;
const LOWEST = 0.34;

/** Bars that show the levels of the music. They do not move during a pause or with reduced motion. */
export function LevelBars({ player, isPlaying }: { player: Player; isPlaying: boolean }) {
  const row = useRef<HTMLDivElement>(null);
  const wantsStillness = useReducedMotion();
  const moves = isPlaying && !wantsStillness;

  useEffect(() => {
    const bars = [...(row.current?.children ?? [])].filter((bar) => bar instanceof HTMLElement);
    if (!moves) return;

    let frame = requestAnimationFrame(function draw() {
      const levels = player.levels();
      bars.forEach(
        (bar, index) => (bar.style.transform = `scaleY(${Math.max(LOWEST, (levels[index] ?? 0) / LOUDEST)})`),
      );
      frame = requestAnimationFrame(draw);
    });
    return () => {
      cancelAnimationFrame(frame);
      for (const bar of bars) bar.style.transform = '';
    };
  }, [player, moves]);

  return (
    <div ref={row} className={css.bars} aria-hidden="true">
      {Array.from({ length: BARS }, (_, place) => (
        <span key={place} className={css.bar} />
      ))}
    </div>
  );
}
