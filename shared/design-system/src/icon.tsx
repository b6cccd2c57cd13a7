import type { ReactNode } from 'react';
import css from './icon.module.css';

export type IconName = keyof typeof ICON_SHAPES;

interface IconProps {
  name: IconName;
  /** Edge length in pixels, at the usual size of letters; it grows with them. */
  size?: number;
  /** The name for screen readers. Without it, they skip the icon; use that when a text is beside it. */
  label?: string;
}

/** An icon in the colour of the text around it. */
export function Icon({ name, size = 20, label }: IconProps) {
  const edge = `${size / 16}rem`;

  return (
    <svg
      className={css.icon}
      viewBox="0 0 24 24"
      width={edge}
      height={edge}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {ICON_SHAPES[name]}
    </svg>
  );
}

/** The shapes of the icons, on a grid of 24 × 24 for a stroke width of 1.75. The logos of the platforms are filled. */
const ICON_SHAPES = {
  android: (
    <g fill="currentColor" stroke="none">
      <path
        d="M3.5 17.5a8.5 8.5 0 0 1 17 0 .8.8 0 0 1-.8.8H4.3a.8.8 0 0 1-.8-.8ZM8.2 15.2a1.1 1.1 0 1 0 0-2.2 1.1 1.1 0 0 0 0 2.2Zm7.6 0a1.1 1.1 0 1 0 0-2.2 1.1 1.1 0 0 0 0 2.2Z"
        fillRule="evenodd"
      />
      <path d="M6.3 5.7a.7.7 0 0 1 1 .3l2 3.5-1.2.7-2-3.5a.7.7 0 0 1 .2-1Zm11.4 0a.7.7 0 0 0-1 .3l-2 3.5 1.2.7 2-3.5a.7.7 0 0 0-.2-1Z" />
    </g>
  ),
  apple: (
    <g fill="currentColor" stroke="none">
      <path d="M12 8c1-.6 2.3-1 3.6-1 1.8 0 3.3.8 4.2 2.1-1.7 1-2.6 2.5-2.6 4.3 0 2 1.1 3.7 2.9 4.5-.9 2.3-2.4 4-4.1 4-1.4 0-2.4-.8-4-.8s-2.6.8-4 .8c-2.6 0-5-4.2-5-8.4C3 9.6 5.4 7 8.4 7c1.3 0 2.6.4 3.6 1Z" />
      <path d="M12.1 6.5c0-2.3 1.7-4.3 4-4.7.2 2.5-1.7 4.7-4 4.7Z" />
    </g>
  ),
  windows: (
    <path
      fill="currentColor"
      stroke="none"
      d="M3.5 5.7 10.8 4.6v7H3.5v-5.9Zm8.4-1.2 8.6-1.3v8.4h-8.6V4.5ZM3.5 12.6h7.3v7L3.5 18.5v-5.9Zm8.4 0h8.6V21l-8.6-1.3v-7.1Z"
    />
  ),
  check: <path d="m5 12.5 4.6 4.6L19 7.5" />,
  cross: <path d="m6.5 6.5 11 11m0-11-11 11" />,
  play: <path fill="currentColor" d="M8 5.6v12.8L18.5 12 8 5.6Z" />,
  pause: <path strokeWidth="3" d="M8.5 6v12m7-12v12" />,
  copy: (
    <path d="M9 9.5A1.5 1.5 0 0 1 10.5 8h8A1.5 1.5 0 0 1 20 9.5v9a1.5 1.5 0 0 1-1.5 1.5h-8A1.5 1.5 0 0 1 9 18.5v-9ZM5.5 16A1.5 1.5 0 0 1 4 14.5v-9A1.5 1.5 0 0 1 5.5 4h8A1.5 1.5 0 0 1 15 5.5" />
  ),
  chevron: <path d="m9 5.5 6.5 6.5L9 18.5" />,
  star: <path fill="currentColor" d="m12 3.8 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8L12 3.8Z" />,
  shield: <path d="M12 3.5 5 6v5.2c0 4.3 2.9 7.6 7 9.3 4.1-1.7 7-5 7-9.3V6l-7-2.5Zm-3 8.7 2.2 2.2 4-4.2" />,
  bolt: <path d="M13.2 3.5 5 13.5h5.5l-.7 7 8.2-10h-5.5l.7-7Z" />,
  spark: (
    <path d="M11 5c.8 4 2.2 5.4 6.2 6.2C13.2 12 11.8 13.4 11 17.4 10.2 13.4 8.8 12 4.8 11.2 8.8 10.4 10.2 9 11 5Zm7 10c.4 1.9 1 2.5 2.9 2.9-1.9.4-2.5 1-2.9 2.9-.4-1.9-1-2.5-2.9-2.9 1.9-.4 2.5-1 2.9-2.9Zm.2-12.3c.3 1.3.7 1.7 2 2-1.3.3-1.7.7-2 2-.3-1.3-.7-1.7-2-2 1.3-.3 1.7-.7 2-2Z" />
  ),
  gift: (
    <path d="M4 9h16v3.5H4V9Zm1.5 3.5h13V20h-13v-7.5ZM12 9v11m0-11C10 9 7.5 8.5 7.5 6.3 7.5 5 8.5 4 9.7 4 11.5 4 12 6.5 12 9Zm0 0c2 0 4.5-.5 4.5-2.7C16.5 5 15.5 4 14.3 4 12.5 4 12 6.5 12 9Z" />
  ),
  download: <path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14" />,
  external: (
    <path d="M13.5 4.5h6v6m0-6-9 9M10 5.5H6A1.5 1.5 0 0 0 4.5 7v11A1.5 1.5 0 0 0 6 19.5h11a1.5 1.5 0 0 0 1.5-1.5v-4" />
  ),
  info: <path d="M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17Zm0 7.5v5m0-8.1V7.8" />,
  warning: <path d="M12 4.2 2.9 19.5h18.2L12 4.2Zm0 5.8v4.5m0 2.6v.1" />,
} as const satisfies Record<string, ReactNode>;
