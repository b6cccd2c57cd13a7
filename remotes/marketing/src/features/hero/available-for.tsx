import { SystemIcon } from '@app/brand-ui/system-icon';

interface AvailableForProps {
  /** The systems that the text names. */
  systems: readonly ('android' | 'ios')[];
  children: string;
}

/** A text that says where an app runs, with the icons of the systems. */
export function AvailableFor({ systems, children }: AvailableForProps) {
  return (
    <>
      {systems.map((system) => (
        <span key={system} data-os={system}>
          <SystemIcon system={system} />
        </span>
      ))}
      <span>{children}</span>
    </>
  );
}
