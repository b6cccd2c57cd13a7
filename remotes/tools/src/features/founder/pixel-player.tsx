import css from './pixel-player.module.css';

/** The blocky player of the games, with headphones and a key on the chest. It blinks and bobs in two frames. */
export function PixelPlayer({ size }: { size: 'small' | 'large' }) {
  return (
    <svg className={css.player} data-size={size} viewBox="0 0 18 25" shapeRendering="crispEdges" aria-hidden="true">
      <path fill="#27304a" d="M5 18h8v2h-8zM5 20h3v3h-3zM10 20h3v3h-3z" />
      <path fill="#f2f4fa" d="M4 23h4v1h-4zM10 23h4v1h-4z" />
      <g className={css.body}>
        <path
          fill="var(--accent)"
          d="M4 0h10v1h-10zM3 1h1v3h-1zM14 1h1v3h-1zM2 4h2v3h-2zM14 4h2v1h-2zM15 5h1v2h-1zM3 7h1v1h-1zM14 7h1v1h-1z"
        />
        <path fill="#3a2f4a" d="M4 1h10v2h-10zM4 3h2v1h-2zM7 3h2v1h-2zM10 3h4v1h-4zM4 4h1v1h-1z" />
        <path
          fill="#eebd9a"
          d="M6 3h1v1h-1zM9 3h1v1h-1zM5 4h9v1h-9zM4 5h10v1h-10zM4 6h2v2h-2zM7 6h4v2h-4zM12 6h2v2h-2zM4 8h3v1h-3zM11 8h3v1h-3zM5 9h8v1h-8zM1 18h3v1h-3zM14 18h3v1h-3z"
        />
        <path fill="var(--accent)" fillOpacity=".7" d="M14 5h1v2h-1z" />
        <path fill="#12151e" d="M6 6h1v1h-1zM11 6h1v1h-1z" />
        <path fill="#8a4b3a" d="M6 7h1v1h-1zM11 7h1v1h-1zM7 8h4v1h-4z" />
        <path fill="#d39a78" d="M4 9h1v1h-1zM13 9h1v1h-1zM6 10h6v1h-6z" />
        <path
          fill="#4a5473"
          d="M2 11h14v1h-14zM1 12h3v6h-3zM5 12h3v3h-3zM11 12h2v3h-2zM14 12h3v6h-3zM9 13h1v1h-1zM5 15h4v2h-4zM10 15h3v1h-3zM11 16h2v1h-2z"
        />
        <path fill="#353c51" d="M4 12h1v5h-1zM13 12h1v5h-1zM4 17h10v1h-10z" />
        <path fill="var(--tint)" d="M8 12h3v1h-3zM8 13h1v1h-1zM10 13h1v1h-1zM8 14h3v1h-3zM9 15h1v1h-1zM9 16h2v1h-2z" />
        <path fill="#27304a" d="M5 18h8v1h-8z" />
        <path className={css.open} fill="#12151e" d="M6 5h1v1h-1zM11 5h1v1h-1z" />
      </g>
    </svg>
  );
}
