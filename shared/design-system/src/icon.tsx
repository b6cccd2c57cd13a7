import { ICON_SHAPES } from './icon-shapes.tsx';
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
