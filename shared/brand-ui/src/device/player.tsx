import css from './player.module.css';

/**
 * The character in the game, which does what the script on the screen says: it jumps twice, or it runs. It lies over the
 * drawing as elements of its own, because the browser can move those without painting. It moves only in a hero, and not
 * at all with reduced motion.
 */
export function Player({ is }: { is: 'jumping' | 'running' }) {
  return (
    <span className={css.game} data-is={is}>
      <svg className={css.trail} viewBox="0 0 48 48">
        {is === 'jumping' ? <ellipse cx="24" cy="24" rx="21" ry="7" /> : <path d="M4 16h30M12 25h24M0 34h32" />}
      </svg>
      <svg className={css.figure} viewBox="0 0 24 32">
        <rect x="6" y="0" width="12" height="11" rx="3" fill="#f7d3b4" />
        <path d="M10 4.5v2M15 4.5v2" stroke="#1a1f2c" strokeWidth="1.8" strokeLinecap="round" />
        <path d="M3 12h18v10H3Z" fill="var(--app)" />
        <path d="M5 22h6v10H5zM13 22h6v10h-6z" fill="#e9edf7" />
      </svg>
    </span>
  );
}
