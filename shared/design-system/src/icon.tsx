import { ICON_SHAPES } from './icon-shapes.tsx';
import css from './icon.module.css';

export type IconName = keyof typeof ICON_SHAPES;

interface IconProps {
  name: IconName;
  /** Edge length in pixels. */
  size?: number;
  /** Only where no words stand beside it. Without, it is decoration. */
  label?: string;
}

/** One of our own line icons, in the colour of the text around it. */
export function Icon({ name, size = 20, label }: IconProps) {
  return (
    <svg
      className={css.icon}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {ICON_SHAPES[name]}
    </svg>
  );
}
