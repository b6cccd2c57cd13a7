import { Icon } from '@app/design-system/icon';
import { useReducedMotion } from '@app/design-system/use-reduced-motion';
import texts from '@app/design-system/text.module.css';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../words.ts';
import { BARS, type Player } from './player.ts';
import css from './song-panel.module.css';
import { type Song, SONGS } from './songs.ts';

interface SongPanelProps {
  song: Song;
  /** Undefined when the browser does not support Web Audio. */
  player: Player | undefined;
  startsMuted: boolean;
}

export function SongPanel({ song, player, startsMuted }: SongPanelProps) {
  const [isPaused, setIsPaused] = useState(false);
  const [isMuted, setIsMuted] = useState(startsMuted);

  useEffect(() => player?.play(song), [player, song]);
  useEffect(() => player?.setPaused(isPaused), [player, isPaused]);
  useEffect(() => player?.setMuted(isMuted), [player, isMuted]);

  return (
    <section className={css.panel} aria-label={t('song.controls')}>
      <div className={css.song}>
        <p className={css.state}>{isPaused ? t('song.paused') : t('song.playing')}</p>
        <p className={css.title}>{song.title}</p>
        <p className={texts.note}>{t('song.of', { number: SONGS.indexOf(song) + 1, of: SONGS.length })}</p>
      </div>
      {player ? (
        <>
          <LevelBars player={player} isPlaying={!isPaused} />
          <div className={css.buttons}>
            <button type="button" className={css.button} aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
              <Icon name={isPaused ? 'play' : 'pause'} />
              {t('song.pause')}
            </button>
            <button type="button" className={css.button} aria-pressed={isMuted} onClick={() => setIsMuted(!isMuted)}>
              <Speaker isMuted={isMuted} />
              {t('song.mute')}
            </button>
          </div>
        </>
      ) : (
        <p className={texts.note}>{t('song.none')}</p>
      )}
    </section>
  );
}

function Speaker({ isMuted }: { isMuted: boolean }) {
  return (
    <svg className={css.speaker} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d="M4.5 9.5v5H8l4.5 4v-13L8 9.5H4.5Z" />
      <path d={isMuted ? 'm16 9.5 5 5m0-5-5 5' : 'M16 9a4.2 4.2 0 0 1 0 6m2.8-8.8a8.2 8.2 0 0 1 0 11.6'} />
    </svg>
  );
}

const MAX_LEVEL = 255;
const MIN_OPACITY = 0.34;

/** Bars that show the levels of the music. They do not move during a pause or with reduced motion. */
function LevelBars({ player, isPlaying }: { player: Player; isPlaying: boolean }) {
  const row = useRef<HTMLDivElement>(null);
  const wantsStillness = useReducedMotion();
  const moves = isPlaying && !wantsStillness;

  useEffect(() => {
    const bars = [...(row.current?.children ?? [])].filter((bar) => bar instanceof HTMLElement);
    if (!moves) return;

    let frame = requestAnimationFrame(function draw() {
      const levels = player.levels();
      bars.forEach(
        (bar, index) => (bar.style.transform = `scaleY(${Math.max(MIN_OPACITY, (levels[index] ?? 0) / MAX_LEVEL)})`),
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
