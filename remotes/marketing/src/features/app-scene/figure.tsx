/** The character of the game, standing on a ground at 130. It has the colour `--figure`, if that is set. */
export function Figure({ x }: { x: number }) {
  return (
    <g transform={`translate(${x - 17} 85) scale(1.4)`}>
      <rect x="6" width="12" height="11" rx="3" fill="#f7d3b4" />
      <path d="M10 4.5v2M15 4.5v2" stroke="#1a1f2c" strokeWidth="1.8" strokeLinecap="round" />
      <path d="M3 12h18v10H3Z" fill="var(--figure, var(--app))" />
      <path d="M5 22h6v10H5zM13 22h6v10h-6z" fill="#e9edf7" />
    </g>
  );
}
